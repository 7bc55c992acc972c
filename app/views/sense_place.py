"""Everything that is drawn of one model's view of a word."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from app.results.word_sense import SensePanel
from app.views.occurrences import draw_occurrences
from app.views.sense_layers import draw_numbers, plot_layers, plot_similarity
from app.views.word_sense import Shown, plot_points

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


@dataclass(frozen=True)
class SensePlace:
    """HTML and figures."""

    heading: str
    points: Figure
    sentences: str
    cosines: Figure
    layers: Figure | None
    numbers: str


def draw_place(panel: SensePanel, shown: Shown, trust: str) -> SensePlace:
    """All of it; `trust` says what the model is."""
    return SensePlace(
        heading=f"<h3>{escape(panel.model)}</h3><p class='trust'>{escape(trust)}</p>",
        points=plot_points(panel, shown),
        sentences=draw_occurrences(panel, shown),
        cosines=plot_similarity(panel, shown),
        layers=plot_layers(panel, shown),
        numbers=draw_numbers(panel, shown),
    )
