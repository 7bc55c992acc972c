"""Draws a word-sense panel's layers: how similar the occurrences are, and which layer knows the meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.results.word_sense import SenseLayer, SensePanel, Senses
from app.views.html import table, th, tr
from app.views.notes import draw_note
from app.views.plots import COLOURS, INK, axis, figure, plain, shortened, table_of
from app.views.word_sense import MIX, Shown, opening_layer

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT_OF_MATRIX, HEIGHT_OF_CURVE = 430, 290
PALE_TO_FULL = [[0, "rgba(0,114,178,.06)"], [1, COLOURS[0]]]
MEASURES = ("same", "different", "margin", "one_nn_accuracy", "most_frequent_accuracy")
CURVES = {"one_nn": "one_nn_accuracy", "margin": "margin", "most_frequent": "most_frequent_accuracy"}


def in_order(panel: SensePanel) -> list[int]:
    """The occurrences by sense and then by group at the top layer, so that similar ones are adjacent."""
    senses, groups = [one.sense for one in panel.occurrences], opening_layer(panel).clusters
    first = list(dict.fromkeys(senses))
    return sorted(range(len(senses)), key=lambda at: (first.index(senses[at]), groups[at], at))


def short_name(panel: SensePanel, number: int) -> str:
    """An occurrence's name beside an axis: its number in the list and its sense, or the words around it."""
    one = panel.occurrences[number]
    around = panel.sentences[one.sentence][max(0, one.start - 6) : one.end + 10]
    return f"{number + 1} {shortened(one.sense or around, 14)}"


def plot_similarity(panel: SensePanel, shown: Shown) -> Figure:
    """The cosine of every two occurrences."""
    order, opening = in_order(panel), opening_layer(panel)
    names = [short_name(panel, number) for number in order]

    def drawn(layer: SenseLayer) -> dict[str, Any]:
        # One byte per cell: otherwise 25 layers of 400 places would take megabytes. Hence hundredths.
        hundredths = np.rint(100 * layer.similarity[np.ix_(order, order)]).astype(np.int8)
        # Real models' cosines are close together, so the darkest colour is 1 and the palest the smallest.
        return {"z": hundredths, "zmin": min(99, int(hundredths.min())), "zmax": 100}

    # Above the matrix, because a phone has no room for it beside the names.
    heading = {"text": f"{plain(shown.labels['heat'])} × 100", "side": "top", "font": {"size": 14}}
    bar = {"title": heading, "orientation": "h", "y": 1, "yanchor": "bottom",
           "thickness": 8, "outlinewidth": 0, "len": 0.7, "tickfont": {"size": 11}}  # fmt: skip
    trace = {
        "type": "heatmap", "x": names, "y": names, "colorscale": PALE_TO_FULL, "colorbar": bar,
        "hovertemplate": "%{y}<br>%{x}<br>cos × 100: %{z}<extra></extra>", **drawn(opening),
    }  # fmt: skip
    frames = [{"name": layer.name, "data": [drawn(layer)]} for layer in panel.layers]
    categories = {"type": "category", "constrain": "domain", "tickfont": {"size": 11}, "showgrid": False}
    return figure(
        [trace],
        told=shown.labels["heat_told"].format(model=panel.model),
        name=f"cosines-{panel.model}",
        height=HEIGHT_OF_MATRIX,
        table=None,
        meta={"frames": frames, "group": shown.group, "cells": order},
        xaxis=axis("", **categories),
        yaxis=axis("", **categories, autorange="reversed", scaleanchor="x"),
    )


def plot_layers(panel: SensePanel, shown: Shown) -> Figure | None:
    """The numbers of each layer as lines; None if fewer than two senses are labelled."""
    layers = [layer for layer in panel.layers if layer.name != MIX]
    measured = [layer.senses for layer in layers if layer.senses]
    if not measured:
        return None
    lines = {key: [getattr(one, measure) for one in measured] for key, measure in CURVES.items()}
    looks = ({"color": COLOURS[0]}, {"color": COLOURS[1]}, {"color": INK, "dash": "dash"})
    traces = [
        {"type": "scatter", "mode": "lines" if "dash" in look else "lines+markers", "name": plain(shown.labels[key]),
         "x": list(range(len(values))), "y": values, "line": look, "hovertemplate": "%{y:.3f}"}
        for (key, values), look in zip(lines.items(), looks, strict=True)
    ]  # fmt: skip
    best = int(np.argmax(lines["one_nn"]))
    stays = best < len(measured) - 1 and min(lines["one_nn"][best:]) == lines["one_nn"][best]
    least = min([0.0, *(value for value in lines["margin"] if value is not None)])
    values = {key: f"{100 * lines[key][best]:.0f}%" for key in ("one_nn", "most_frequent")}
    frames = [{"name": layer.name, "data": [], "layout": {"shapes": _here(layer)}} for layer in panel.layers]
    rows = [[layer.name, *(getattr(layer.senses, measure) for measure in MEASURES)] for layer in panel.layers]
    return figure(
        traces,
        told=shown.labels["curve_from" if stays else "curve_told"].format(model=panel.model, layer=best, **values),
        name=f"layers-{panel.model}",
        height=HEIGHT_OF_CURVE,
        table=table_of(("layer", *MEASURES), rows, model=panel.model, word=panel.word),
        meta={"frames": frames, "group": shown.group},
        title={"text": plain(shown.labels["curve"].format(model=panel.model)), "x": 0, "font": {"size": 14}},
        margin={"l": 10, "r": 10, "t": 44, "b": 10},
        xaxis=axis(shown.labels["layer"], dtick=1 + len(layers) // 13, range=[-0.4, len(layers) - 0.6]),
        yaxis=axis("", range=[least - 0.04, 1.04]),
        hovermode="x unified",
        shapes=_here(opening_layer(panel)),
    )


def _here(layer: SenseLayer) -> list[dict[str, Any]]:
    """A line at the current layer; the mix of all layers has no place among them."""
    if layer.name == MIX:
        return []
    at = int(layer.name)
    line = {"color": INK, "width": 1}
    return [{"type": "line", "x0": at, "x1": at, "y0": 0, "y1": 1, "yref": "paper", "line": line}]


def draw_unmeasured(panel: SensePanel, shown: Shown) -> str:
    """What to do where fewer than two senses are labelled, so that there are no numbers."""
    return "" if panel.layers[0].senses else draw_note(shown.labels["label_them"])


def draw_numbers(panel: SensePanel, shown: Shown) -> str:
    """The same numbers as a table, if there are any; the page's script marks the current layer."""
    labels = shown.labels
    if not panel.layers[0].senses:
        return ""
    head = [labels[key] for key in ("layer", "same", "different", "margin", "one_nn", "most_frequent")]
    rows = (
        tr(th(labels["mixed"] if one.name == MIX else one.name), *_cells(one.senses), data_frame=one.name)
        for one in panel.layers
    )
    return table(head, rows, class_="sense-numbers", data_group=shown.group)


def _cells(senses: Senses | None) -> list[str]:
    values = [getattr(senses, measure) for measure in MEASURES]
    return [f"{value:+.3f}" if name == "margin" and value else f"{value:.3f}" if value is not None else "–"
            for name, value in zip(MEASURES, values, strict=True)]  # fmt: skip
