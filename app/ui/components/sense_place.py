"""The place of one model's view of a word: its points next to its sentences, its layers below, its numbers folded.

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
from app.ui.widgets import deeper


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
    layers: gr.Plot
    unmeasured: gr.HTML


@dataclass(frozen=True)
class Pairs:
    """What is seen once the part is unfolded."""

    column: gr.Column
    cosines: gr.Plot
    numbers: gr.HTML


@dataclass(frozen=True)
class Folded:
    """The folded part with the pairs of every model."""

    part: gr.Accordion
    places: Sequence[Pairs]


class Drawn(Protocol):
    """What a place holds: HTML and figures."""

    heading: str
    points: Figure
    sentences: str
    layers: Figure | None
    unmeasured: str
    cosines: Figure | None
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
    """The layers, or what is missing to measure them."""
    with gr.Column(min_width=300, visible=False, elem_id=f"{elem_id}-below") as column:
        (layers,) = plots(f"{elem_id}-layers")
        unmeasured = gr.HTML()
    return Below(column, layers, unmeasured)


def pairs(elem_id: str) -> Pairs:
    """The cosines, with the numbers next to them where there is room."""
    with (
        gr.Column(min_width=300, visible=False, elem_id=f"{elem_id}-pairs") as column,
        gr.Row(equal_height=False),
    ):
        with gr.Column(min_width=400):
            (cosines,) = plots(f"{elem_id}-cosines")
        with gr.Column(min_width=400):
            numbers = gr.HTML()
    return Pairs(column, cosines, numbers)


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


def folded(slug: str, elem_ids: Sequence[str]) -> Folded:
    """What is seen once it is unfolded; its texts are among those of the tab."""
    with deeper(slug, "pairs", visible=False) as part, gr.Row(equal_height=False):
        places = [pairs(elem_id) for elem_id in elem_ids]
    return Folded(part, places)


def outputs(upper: Sequence[Above], lower: Sequence[Below], below_all: Folded) -> list[Component | gr.Accordion]:
    """In the order of `filled`."""
    parts = [
        part
        for top, bottom, pair in zip(upper, lower, below_all.places, strict=True)
        for part in (top.column, top.heading, top.points, top.sentences,
                     bottom.column, bottom.layers, bottom.unmeasured, pair.column, pair.cosines, pair.numbers)
    ]  # fmt: skip
    return [*parts, below_all.part]


def filled(places: Sequence[Drawn | None], language: str) -> list[object]:
    """What the outputs of all places get; the folded part is seen where a model has something in it."""
    compared = any(drawn and drawn.cosines for drawn in places)
    return [*(part for drawn in places for part in _filled(drawn, language)), gr.Accordion(visible=compared)]


def _filled(drawn: Drawn | None, language: str) -> list[object]:
    """What a place's outputs get; it is not seen without anything in it."""
    column = gr.Column(visible=drawn is not None)
    points, layers, cosines = shown([drawn.points, drawn.layers, drawn.cosines] if drawn else [], 3, language)
    if drawn is None:
        return [column, "", points, "", column, layers, "", column, cosines, ""]
    further = gr.Column(visible=drawn.cosines is not None)
    return [column, drawn.heading, points, drawn.sentences,
            further, layers, drawn.unmeasured, further, cosines, drawn.numbers]  # fmt: skip
