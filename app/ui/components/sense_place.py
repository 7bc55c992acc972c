"""The place of one model's view of a word: its points next to its sentences, and its layers below.

Knows no model and no task.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import gradio as gr
from gradio.components import Component

from app.ui.components.attention import script
from app.ui.components.plots import Figure, plots, shown


@dataclass(frozen=True)
class Above:
    """What is seen first."""

    column: gr.Column
    heading: gr.HTML
    points: gr.Plot
    sentences: gr.HTML


@dataclass(frozen=True)
class Below:
    """What is seen further down."""

    column: gr.Column
    cosines: gr.Plot
    layers: gr.Plot
    numbers: gr.HTML


class Drawn(Protocol):
    """What a place holds: HTML and figures."""

    heading: str
    points: Figure
    sentences: str
    cosines: Figure | None
    layers: Figure | None
    numbers: str


def above(elem_id: str) -> Above:
    """The points, with the sentences next to them where there is room."""
    with gr.Column(min_width=420, visible=False, elem_id=elem_id) as column:
        heading = gr.HTML(elem_classes="sense-heading")
        with gr.Row(equal_height=False):
            with gr.Column(scale=3, min_width=420):
                (points,) = plots(f"{elem_id}-points")
            with gr.Column(scale=2, min_width=260):
                sentences = occurrence_list(f"{elem_id}-sentences")
    return Above(column, heading, points, sentences)


def below(elem_id: str) -> Below:
    """The cosines and the layers."""
    with gr.Column(min_width=300, visible=False, elem_id=f"{elem_id}-below") as column:
        cosines, layers = plots(f"{elem_id}-cosines", 2)
        numbers = gr.HTML()
    return Below(column, cosines, layers, numbers)


def occurrence_list(elem_id: str) -> gr.HTML:
    """Sentences next to a plot, where a choice in either is a choice in both: `views/occurrences.py` draws them.

    Its `select` event asks for what lies near: `model`, `occurrence` and `layer` are in its `gr.EventData`.
    """
    return gr.HTML(elem_id=elem_id, js_on_load=script(("occurrence_list.js",)))


def uppers(elem_ids: Sequence[str]) -> list[Above]:
    """The first view of several models, side by side where there is room."""
    with gr.Row(equal_height=False):
        return [above(elem_id) for elem_id in elem_ids]


def lowers(elem_ids: Sequence[str]) -> list[Below]:
    """What is seen further down."""
    with gr.Row(equal_height=False):
        return [below(elem_id) for elem_id in elem_ids]


def outputs(upper: Sequence[Above], lower: Sequence[Below]) -> list[Component]:
    """In the order of `filled`."""
    return [
        part
        for top, bottom in zip(upper, lower, strict=True)
        for part in (top.column, top.heading, top.points, top.sentences,
                     bottom.column, bottom.cosines, bottom.layers, bottom.numbers)
    ]  # fmt: skip


def filled(drawn: Drawn | None, language: str) -> list[object]:
    """What a place's outputs get; it is not seen without anything in it."""
    column = gr.Column(visible=drawn is not None)
    if drawn is None:
        return [column, "", *shown([], 1, language), "", column, *shown([], 2, language), ""]
    figures = shown([drawn.points, drawn.cosines, drawn.layers], 3, language)
    further = gr.Column(visible=drawn.cosines is not None)
    return [column, drawn.heading, figures[0], drawn.sentences, further, *figures[1:], drawn.numbers]
