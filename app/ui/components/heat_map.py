"""A square matrix of cosines, drawn in the browser on a canvas. Knows no model and no task."""

from __future__ import annotations

import gradio as gr

from app.ui.components.attention import script


def heat_map(elem_id: str) -> gr.HTML:
    """The component.

    Its value is a mapping: `matrix` a `Packed` as JSON (0 stands for -1, 255 for 1), `title`, `trust` (what the model
    is), `name` of the files to be saved, and `labels` with `help` and `position`.
    """
    return gr.HTML(None, elem_id=elem_id, html_template="", js_on_load=script(("canvas.js", "heat_map.js")))
