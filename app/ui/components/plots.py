"""Plots on the page: Gradio's component for plotly figures, as many as an answer may need. Knows no model and no task.

Gradio brings plotly.js and loads it with the first figure. What it lacks, `plots.js` adds to each figure: a sentence
for those who cannot see it, exports, a slider over its frames.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Protocol

import gradio as gr
from gradio.components.plot import PlotData

from app.ui.texts import texts

SLUG, PREFIX = "playground", "plot."
WORDS = ("figure", "layer", "play", "turn")
# Saving has buttons of its own; selecting is for plots that something listens to.
SAVING, SELECTING = ["toImage"], ["select2d", "lasso2d"]


class Figure(Protocol):
    """What a view returns."""

    def to_json(self) -> str:
        """The figure as plotly.js reads it."""


def plots(elem_id: str, count: int = 1) -> list[gr.Plot]:
    """Places for so many figures side by side, one below the other on a phone; an empty one is hidden."""
    with gr.Row(equal_height=False, elem_classes="plots"):
        return [
            gr.Plot(
                show_label=False,
                container=False,
                visible=False,
                min_width=300,
                elem_id=f"{elem_id}-{number}" if number else elem_id,
            )
            for number in range(count)
        ]


def shown(figures: Sequence[Figure | None], count: int, language: str) -> list[gr.Plot]:
    """The places with these figures, and the rest of them empty."""
    filled = [*figures, *[None] * (count - len(figures))]
    return [gr.Plot(value=one and with_words(one, language), visible=one is not None) for one in filled]


def with_words(figure: Figure, language: str) -> PlotData:
    """The figure with the words around it in the visitor's language."""
    told, made = texts(SLUG)[language], json.loads(figure.to_json())
    meta = made["layout"]["meta"]
    made["config"] = {
        "displaylogo": False,
        "responsive": True,
        "modeBarButtonsToRemove": SAVING + ([] if meta.get("picks") else SELECTING),
        "locale": language,
        "locales": {language: {"dictionary": told[f"{PREFIX}bar"], "format": {}}},
    }
    meta["words"] = {key: told[f"{PREFIX}{key}"] for key in WORDS}
    return PlotData(type="plotly", plot=json.dumps(made, ensure_ascii=False))
