"""What can be done with a model that was trained in the page: ask it, see it as a map."""

from __future__ import annotations

from dataclasses import dataclass

import gradio as gr
from gradio.components import Component

from app.ui.components.plots import plots
from app.ui.components.tuning.naming_panel import NamingPanel, naming_panel
from app.ui.texts import mark


@dataclass(frozen=True)
class TrainedPanel:
    """Its components: a model, its name; what it is asked by which button, the answer; the maps and their button."""

    own: gr.Dropdown
    naming: NamingPanel
    lines: gr.Textbox
    ask: gr.Button
    draw: gr.Button
    answer: gr.HTML
    maps: list[Component]


def trained_panel(slug: str) -> TrainedPanel:
    """Draw it, under the names that a tab's texts have for its parts."""
    own = gr.Dropdown(label=mark(slug, "try_model"), elem_id=f"{slug}-own")
    naming = naming_panel(slug)
    lines = gr.Textbox(label=mark(slug, "try"), lines=2, elem_id=f"{slug}-try")
    with gr.Row():
        ask = gr.Button(mark(slug, "try_run"), interactive=False, elem_id=f"{slug}-ask")
        draw = gr.Button(mark(slug, "map_run"), interactive=False, elem_id=f"{slug}-map")
    answer = gr.HTML(elem_id=f"{slug}-answer")
    maps = [gr.HTML(elem_id=f"{slug}-picture"), *plots(f"{slug}-plot", 2)]
    return TrainedPanel(own, naming, lines, ask, draw, answer, maps)
