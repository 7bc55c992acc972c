"""A sentence whose words can be clicked, by mouse, finger or keyboard."""

from __future__ import annotations

import gradio as gr

# The words are buttons with their character offsets in `data-start` and `data-end` (see `views.tokens.draw_words`).
ON_LOAD = """
element.addEventListener("click", (event) => {
  const word = event.target.closest("button[data-start]");
  if (word) trigger("click", { start: Number(word.dataset.start), end: Number(word.dataset.end) });
});
"""


def words(elem_id: str) -> gr.HTML:
    """The component; its `click` event carries `start` and `end` of the word in its `gr.EventData`."""
    return gr.HTML("", elem_id=elem_id, js_on_load=ON_LOAD)
