"""A sentence whose words can be clicked, or sentences to choose from: by mouse, finger or keyboard."""

from __future__ import annotations

import gradio as gr

# Buttons with numbers in their `data-` attributes: the words' character offsets (`views.tokens.draw_words`), or the
# sentences' places in their list (`widgets.draw_examples`).
ON_LOAD = """
element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-start], button[data-at]");
  if (!button) return;
  trigger("click", Object.fromEntries(Object.entries(button.dataset).map(([name, value]) => [name, Number(value)])));
});
"""


def words(elem_id: str) -> gr.HTML:
    """The component; its `click` event carries `start` and `end` of the word in its `gr.EventData`."""
    return gr.HTML("", elem_id=elem_id, js_on_load=ON_LOAD)


def sentences(elem_id: str) -> gr.HTML:
    """The component; its `click` event carries `at`, the sentence's place.

    Gradio's own list of examples cuts each after 60 characters, and brings along the files of a text box.
    """
    return gr.HTML("", elem_id=elem_id, elem_classes=["later", "long-list"], js_on_load=ON_LOAD)
