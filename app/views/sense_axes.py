"""The axes of a plot of a word's occurrences, and what is said where all of them are one point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from app.results.word_sense import SenseLayer
from app.views.label_map import axis_title, share_of
from app.views.plots import INK, Axis, axis, plain

REACH = [-1.15, 1.15]
# Above this, all cosines mean that a layer has one place for the word.
ONE_SPOT = 0.995
# Of the plot's range of 2.3: less is hidden by a marker.
ONE_PLACE = 0.02


def coincides(layer: SenseLayer) -> bool:
    """Has the layer one vector for all uses of the word?"""
    return len(layer.similarity) > 1 and bool(layer.similarity.min() > ONE_SPOT)


def one_point(layer: SenseLayer, labels: Mapping[str, str]) -> dict[str, Any]:
    """Says beside a point that all others lie below it; in a plane only."""
    if layer.points.shape[1] != 2:
        return {}
    seen = coincides(layer) and float(np.ptp(layer.points, axis=0).max()) < ONE_PLACE
    (x, y), said = map(float, layer.points[0]), plain(labels["one_point"].format(count=len(layer.points)))
    # A frame takes away no note of the frame before; it can only hide it.
    return {"annotations": [{"x": x, "y": y, "yshift": 22, "showarrow": False, "text": said, "visible": seen}]}


def axes_of(layer: SenseLayer, **scene: Any) -> dict[str, Any]:
    """Titles and ranges of the axes; the ranges are equal for all layers. `scene` is added to a 3D scene."""
    dimensions = layer.points.shape[1]
    bare = {"range": REACH, "zeroline": False, "showticklabels": False}
    titles = [_title(layer, number) for number in range(dimensions)]
    if dimensions == 2:
        return {"xaxis": axis(titles[0], **bare), "yaxis": axis(titles[1], **bare, scaleanchor="x")}
    space = {f"{name}axis": _in_space(title) for name, title in zip("xyz", titles, strict=True)}
    return {"scene": {**space, "aspectmode": "cube", "dragmode": "turntable", **scene}}


def _title(layer: SenseLayer, number: int) -> str:
    drawn = layer.drawn
    if drawn.turned and drawn.method == "pca":
        # After rotation the axes are no longer the components, but the shares along them are measured.
        return f"PC 1–{layer.points.shape[1]} ↻{share_of(drawn.explained, number)}"
    return axis_title(drawn.method, drawn.explained, number)


def _in_space(title: str) -> Axis:
    bare = {"showticklabels": False, "showbackground": False, "showspikes": False, "zeroline": False}
    # WebGL draws a transparent line on a transparent ground as white.
    return {"title": {"text": title}, "range": REACH, "color": INK, "gridcolor": INK, "linecolor": INK, **bare}
