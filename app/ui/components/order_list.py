"""A list whose entries are put in order by dragging, or by buttons for the keyboard."""

from __future__ import annotations

import gradio as gr

# The entries carry their `data-index` and two buttons with `data-move` (see `views.sentence_order.draw_order_list`).
# Pointer events serve mouse and finger alike; the browser's own drag and drop knows no finger.
ON_LOAD = """
const ENDS = ["pointerup", "pointercancel"];
let held = null;
const entry = (target) => target.closest("li[data-index]");
element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-move]");
  if (!button) return;
  const item = entry(button), up = button.dataset.move === "-1";
  const other = up ? item.previousElementSibling : item.nextElementSibling;
  if (!other) return;
  if (up) other.before(item); else other.after(item);
  button.focus();
});
const move = (event) => {
  const under = document.elementFromPoint(event.clientX, event.clientY);
  const other = under && element.contains(under) ? entry(under) : null;
  if (!other || other === held) return;
  const below = held.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
  if (below) other.after(held); else other.before(held);
};
const drop = () => {
  document.removeEventListener("pointermove", move);
  for (const end of ENDS) document.removeEventListener(end, drop);
  held.classList.remove("held");
  held = null;
};
element.addEventListener("pointerdown", (event) => {
  if (held || !event.target.closest(".handle")) return;
  event.preventDefault();
  held = entry(event.target);
  held.classList.add("held");
  // On the document: the entry moves under the pointer, and the pointer may leave the list.
  document.addEventListener("pointermove", move);
  for (const end of ENDS) document.addEventListener(end, drop);
});
"""


def order_list(elem_id: str) -> gr.HTML:
    """The component. The server learns of the order only when it is asked for, through `read_order`."""
    return gr.HTML("", elem_id=elem_id, js_on_load=ON_LOAD)


def read_order(elem_id: str, place: int) -> str:
    """JavaScript for an event's `js=` that puts the entries' order, top to bottom, in place of one of its inputs.

    Read in the moment of the click, it cannot be older than what the visitor sees.
    """
    entries = f"document.querySelectorAll('#{elem_id} li[data-index]')"
    return f"(...values) => values.with({place}, [...{entries}].map((entry) => Number(entry.dataset.index)))"
