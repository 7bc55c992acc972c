"""Draws the similarity of the vectors of any two positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.views.plots import COLOURS, axis, figure

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT = 460
UNLIKE_TO_ALIKE = [[0, COLOURS[1]], [0.5, "rgba(127,127,127,0)"], [1, COLOURS[0]]]


def plot_positions(cosines: np.ndarray, told: str, name: str, position: str) -> Figure:
    """A square of cosines.

    Args:
        cosines: [position, position].
        told: what the plot shows.
        name: of saved files.
        position: the word for a position, in the visitor's language.
    """
    # One byte per cell: a megabyte for GPT-2 instead of five as floats. Hence hundredths.
    hundredths = np.rint(100 * cosines).astype(np.int8)
    trace = {
        "type": "heatmap",
        "z": hundredths,
        "zmin": -100,
        "zmax": 100,
        "colorscale": UNLIKE_TO_ALIKE,
        "colorbar": {"title": {"text": "cos × 100"}, "thickness": 12, "outlinewidth": 0, "tickvals": [-100, 0, 100]},
        "hovertemplate": f"{position} %{{y}} · {position} %{{x}}: %{{z}}<extra></extra>",
    }
    return figure(
        [trace],
        told=told,
        name=name,
        height=HEIGHT,
        table=None,
        xaxis=axis(position, constrain="domain"),
        yaxis=axis(position, autorange="reversed", scaleanchor="x", constrain="domain"),
    )


def mean_by_distance(cosines: np.ndarray) -> dict[int, float]:
    """The mean cosine of positions 1, 10 and 100 apart, where there are enough positions."""
    return {apart: float(np.diagonal(cosines, apart).mean()) for apart in (1, 10, 100) if apart < len(cosines)}
