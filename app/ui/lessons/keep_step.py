"""The button at a tab's foot that keeps what the tab shows as a step of the visitor's own lesson."""

from __future__ import annotations

import json

import gradio as gr

from app.ui.events import PRIVATE
from app.ui.links import Link, links_of
from app.ui.texts import mark


def keep_step(page: gr.Blocks, slug: str) -> None:
    """Draw the button of a tab, when its fields are drawn: a step sets those that a link of the tab sets."""
    link = links_of(page).get(slug, Link({}, ""))
    fields = link.fields if link.run else {}
    button = gr.Button(mark("lessons", "keep_step"), size="sm", min_width=140, elem_id=f"{slug}-keep-step")
    js = f"(...values) => playground.own.keep({json.dumps(slug)}, {json.dumps(list(fields))}, values)"
    button.click(None, [*fields.values()], None, js=js, **PRIVATE)
