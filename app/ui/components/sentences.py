"""Sentences to choose one from: as Gradio's list of examples looks, without the six files of its text box."""

from __future__ import annotations

import gradio as gr

# The sentences are buttons with their place in the list in `data-at` (see `views.sentences.draw_sentences`).
ON_LOAD = """
element.addEventListener("click", (event) => {
  const sentence = event.target.closest("button[data-at]");
  if (sentence) trigger("click", { at: Number(sentence.dataset.at) });
});
"""


def sentences(elem_id: str) -> gr.HTML:
    """The component; its `click` event carries in its `gr.EventData`, as `at`, which sentence it was."""
    return gr.HTML("", elem_id=elem_id, js_on_load=ON_LOAD)
