"""A written text whose tokens can be chosen, and a list of tokens to continue with: by mouse, finger or keyboard."""

from __future__ import annotations

import gradio as gr

# Tokens carry `data-index`, candidates `data-token` (see `views.writing` and `views.token_choice`).
ON_LOAD = """
const choose = (event) => {
  const token = event.target.closest("[data-index]");
  if (token) trigger("click", { index: Number(token.dataset.index) });
  const candidate = event.target.closest("[data-token]");
  if (candidate) trigger("click", { token_id: Number(candidate.dataset.token) });
};
element.addEventListener("click", choose);
element.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  if (!event.target.matches("span[data-index]")) return;
  event.preventDefault();
  choose(event);
});
"""


def writing(elem_id: str, **options: object) -> gr.HTML:
    """The component; its `click` event carries a token's `index` or a candidate's `token_id` in its `gr.EventData`."""
    return gr.HTML("", elem_id=elem_id, js_on_load=ON_LOAD, **options)
