"""All drawings of one model's view of a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.results.about import About
from app.results.word_sense import SensePanel
from app.views.heading import draw_heading
from app.views.occurrences import coincide, draw_occurrences
from app.views.sense_layers import draw_numbers, draw_unmeasured, plot_layers, plot_similarity
from app.views.word_sense import Shown, plot_points

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


@dataclass(frozen=True)
class SensePlace:
    """HTML and figures."""

    heading: str
    points: Figure
    sentences: str
    layers: Figure | None
    unmeasured: str
    cosines: Figure | None
    numbers: str


def draw_place(panel: SensePanel, shown: Shown, about: About, folded: bool = False) -> SensePlace:
    """All drawings; `about` is the model, `folded` is its list. Where all points are one, nothing is to be compared."""
    one = coincide(panel)
    return SensePlace(
        heading=draw_heading(about),
        points=plot_points(panel, shown),
        sentences=draw_occurrences(panel, shown, folded),
        layers=None if one else plot_layers(panel, shown),
        unmeasured="" if one else draw_unmeasured(panel, shown),
        cosines=None if one else plot_similarity(panel, shown),
        numbers="" if one else draw_numbers(panel, shown),
    )
