"""Draws texts as points with a colour and a symbol per label; pointing at a point shows its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from app.results.classification import LabelMap
from app.views.plots import Trace, axis, figure, look_of, shortened, table_of, wrapped

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT = 440
NAMES = {"tsne": "t-SNE", "umap": "UMAP"}


def plot_label_map(made: LabelMap, told: str, classes: Sequence[str] = ()) -> Figure:
    """The points, one trace per label.

    Args:
        made: the points.
        told: what the plot shows.
        classes: all possible labels; maps drawn with the same list give each label the same look.
    """
    known = sorted({*made.labels, *classes})
    rows = ((*point, label, text) for point, label, text in zip(made.points, made.labels, made.texts, strict=True))
    titles = [axis_title(made.method, made.explained, number) for number in range(2)]
    bare = {"zeroline": False, "showticklabels": False}
    return figure(
        [_of_label(made, label, number) for number, label in enumerate(known)],
        told=told,
        name=f"map-{made.method}-{made.model}",
        height=HEIGHT,
        table=table_of(("x", "y", "label", "text"), rows, model=made.model),
        xaxis=axis(titles[0], **bare),
        yaxis=axis(titles[1], **bare, scaleanchor="x"),
        hovermode="closest",
    )


def axis_title(method: str, explained: Sequence[float], number: int) -> str:
    """`PC 1, 34%` with the share of variance if known; the axes of t-SNE and UMAP have no meaning."""
    if method != "pca":
        return f"{NAMES[method]} {number + 1}"
    return f"PC {number + 1}{share_of(explained, number)}"


def share_of(explained: Sequence[float], number: int) -> str:
    """`, 34%` if known."""
    return f", {explained[number]:.0%}" if number < len(explained) else ""


def _of_label(made: LabelMap, label: str, number: int) -> Trace:
    colour, symbol = look_of(number)
    of_label = [place for place, one in enumerate(made.labels) if one == label]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{shortened(label)} ({len(of_label)})",
        "x": [made.points[place][0] for place in of_label],
        "y": [made.points[place][1] for place in of_label],
        "text": [wrapped(f"{label}: {made.texts[place]}") for place in of_label],
        "hovertemplate": "%{text}<extra></extra>",
        "marker": {"color": colour, "symbol": symbol, "size": 10, "opacity": 0.9},
        "showlegend": True,
    }
