"""A list of sentences beside a plot: a choice in either is a choice in both. Knows no model and no task."""

from __future__ import annotations

import gradio as gr

from app.ui.components.attention import script


def occurrence_list(elem_id: str) -> gr.HTML:
    """The component; its value is what `views/occurrences.py` draws.

    Its `select` event asks for what lies near: `model`, `occurrence` and `layer` are in its `gr.EventData`.
    """
    return gr.HTML(elem_id=elem_id, js_on_load=script(("occurrence_list.js",)))
