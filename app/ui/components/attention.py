"""Attention drawn in the browser on a canvas: the component and its scripts. Knows no model and no task.

Its value is an `AttentionOpening` as JSON with the `labels` of the visitor's language; layers, pictures of all heads,
rollout and exact numbers are asked for by name through the functions it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradio as gr

FOLDER = Path(__file__).resolve().parent
# Gradio takes a quoted word in a script for an event where it is an attribute of components, as "every" is; copying
# that event then costs half a second at each page load: no such word is quoted in these files.
# In this order: what is named in one file is used by those behind it, and the last one begins.
SCRIPTS = ("canvas.js", "attention_draw.js", "attention_tools.js", "attention.js")

Answer = Callable[[dict[str, Any], gr.Request], dict[str, Any]]


def script(names: tuple[str, ...]) -> str:
    """Scripts of this folder as one."""
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def attention_view(elem_id: str, answers: list[Answer]) -> gr.HTML:
    """The component.

    Its `select` event asks for one head's arithmetic: `text`, `second`, `model`, `layer`, `head` and `query` are in its
    `gr.EventData`.

    Args:
        elem_id: id on the page.
        answers: functions named `layer`, `all_heads_pictures`, `rollout`, `row` and `table`.
    """
    return gr.HTML(
        None, elem_id=elem_id, html_template="", js_on_load=script(SCRIPTS), server_functions=answers, visible=True
    )
