"""Draws the occurrences of a word as points, layer by layer.

The figure opens at the top layer and has every layer as a frame, in which a point is always the same occurrence. The
page's script changes the frame in all figures of one `group` together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.results.word_sense import Occurrence, SenseLayer, SensePanel
from app.views.plots import LEGEND, Cell, Trace, figure, look_of, shortened, table_of, wrapped
from app.views.sense_axes import axes_of, coincides, one_point

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]
HEIGHT = 460
AROUND = 90  # characters of a sentence on each side of the word
EYE = {"x": 1.6, "y": 1.6, "z": 1.2}  # far enough for the titles of the axes on a phone
MIX = "mix"


@dataclass(frozen=True)
class Shown:
    """What the figures of one panel share.

    Attributes:
        labels: the tab's texts in one language.
        group: of the panel's figures.
        clustered: colours show the groups that were found instead of the senses.
        start: the first frame, if the panel has it; else the top layer.
        stays: without a `start`, keep the visitor's layer, because the question is the same as before.
    """

    labels: Labels
    group: str
    clustered: bool = False
    start: str = ""
    stays: bool = False


def plot_points(panel: SensePanel, shown: Shown) -> Figure:
    """The occurrences as points; the tooltip has their sentence with the word in bold."""
    opening = opening_layer(panel)
    drawn = {layer.name: _at(panel, layer, shown) for layer in panel.layers}
    frames = [
        {"name": layer.name, "said": _said(panel, layer, shown.labels), "told": _told(panel, layer, shown.labels),
         "data": drawn[layer.name], "layout": {**axes_of(layer), **one_point(layer, shown.labels)}}
        for layer in panel.layers
    ]  # fmt: skip
    start = shown.start if shown.start in drawn else ""
    meta = {"frames": frames, "group": shown.group, "start": start or opening.name, "picks": True}
    # A group's legend entry has no points of its own to hide.
    legend = {"itemclick": False, "itemdoubleclick": False} if shown.clustered else {}
    return figure(
        [_merged(*trace) for trace in zip(_traces(panel, shown), drawn[opening.name], strict=True)],
        told=_told(panel, opening, shown.labels),
        name=f"senses-{panel.method}-{panel.model}",
        height=HEIGHT,
        table=_table(panel),
        meta={**meta, "stays": shown.stays and not start},
        hovermode="closest",
        legend={**LEGEND, **legend},
        **axes_of(opening, camera={"eye": EYE}),
        **one_point(opening, shown.labels),
    )


def opening_layer(panel: SensePanel) -> SenseLayer:
    """The top layer."""
    return [layer for layer in panel.layers if layer.name != MIX][-1]


def _merged(trace: Trace, layer: dict[str, Any]) -> Trace:
    marker = {**trace["marker"], **layer.get("marker", {})}
    return {**trace, **layer, "marker": marker}


def _said(panel: SensePanel, layer: SenseLayer, labels: Labels) -> str:
    if layer.name == MIX:
        return f"{labels['mixed']}: {' · '.join(f'{100 * share:.0f}%' for share in panel.mix)}"
    key = "layer_0" if layer.name == "0" else "layer_of"
    return labels[key].format(layer=layer.name, top=opening_layer(panel).name)


def _told(panel: SensePanel, layer: SenseLayer, labels: Labels) -> str:
    where = labels["near_mix"] if layer.name == MIX else labels["near_layer"].format(layer=layer.name)
    told = labels["picture"].format(model=panel.model, layer=where, word=panel.word)
    return " ".join(filter(None, [told, *_notes(panel, layer, labels)]))


def _notes(panel: SensePanel, layer: SenseLayer, labels: Labels) -> list[str]:
    if coincides(layer):
        return [labels["static" if panel.family == "static_vectors" else "one_spot"]]
    if panel.method == "pca":
        return [labels["turned"] if layer.drawn.turned else ""]
    if layer.drawn.method == "pca":
        return [labels["drawn.pca"].format(asked=labels[f"method.{panel.method}"])]
    return [labels[f"drawn.{layer.drawn.method}"].format(setting=f"{layer.drawn.setting:.3g}"), labels["no_scale"]]


def _members(panel: SensePanel) -> dict[str | None, list[int]]:
    """The occurrences of each sense, in order of appearance."""
    senses = [one.sense for one in panel.occurrences]
    return {sense: [at for at, own in enumerate(senses) if own == sense] for sense in dict.fromkeys(senses)}


def _traces(panel: SensePanel, shown: Shown) -> list[Trace]:
    """A trace per sense. Groups differ between layers, so one trace has all points and empty ones make the legend."""
    dimensions = panel.layers[0].points.shape[1]
    base = {"type": "scatter" if dimensions == 2 else "scatter3d", "mode": "markers", "showlegend": True}
    size, texts = (10 if dimensions == 2 else 6), [hover_text(panel, one) for one in panel.occurrences]

    def trace(members: list[int], **more: Any) -> Trace:
        of_points = {"text": [texts[at] for at in members], "customdata": members}
        return {**base, **of_points, "hovertemplate": "%{text}<extra></extra>", **more}

    def marker(number: int) -> dict[str, Any]:
        colour, symbol = look_of(number, dimensions)
        return {"color": colour, "symbol": symbol, "size": size, "opacity": 0.9}

    if not shown.clustered:
        named = [(sense or shown.labels["no_label"], members) for sense, members in _members(panel).items()]
        return [
            trace(members, name=f"{shortened(name)} ({len(members)})", marker=marker(number))
            for number, (name, members) in enumerate(named)
        ]
    whole = trace(list(range(len(texts))), marker={"size": size, "opacity": 0.9}, showlegend=False)
    groups = 1 + max(max(layer.clusters) for layer in panel.layers)
    nowhere = {axis: [None] for axis in "xyz"[:dimensions]}
    return [whole, *({**base, **nowhere, "hoverinfo": "skip", "marker": marker(number)} for number in range(groups))]


def _at(panel: SensePanel, layer: SenseLayer, shown: Shown) -> list[dict[str, Any]]:
    """What changes from layer to layer: the coordinates of each trace's points, and the groups."""
    dimensions = layer.points.shape[1]

    def places(members: list[int]) -> dict[str, Any]:
        return {axis: layer.points[members, number].tolist() for number, axis in enumerate("xyz"[:dimensions])}

    if not shown.clustered:
        return [places(members) for members in _members(panel).values()]
    looks = [look_of(group, dimensions) for group in layer.clusters]
    whole = {"marker": {"color": [colour for colour, _ in looks], "symbol": [symbol for _, symbol in looks]}}
    groups = 1 + max(max(one.clusters) for one in panel.layers)
    sizes = [layer.clusters.count(group) for group in range(groups)]
    named = [(f"{shown.labels['group'].format(number=group + 1)} ({size})", size) for group, size in enumerate(sizes)]
    legend = [{"name": name, "showlegend": size > 0} for name, size in named]
    return [{**places(list(range(len(looks)))), **whole}, *legend]


def hover_text(panel: SensePanel, one: Occurrence) -> str:
    """An occurrence's sense, followed by the sentence around it."""
    sentence, sense = panel.sentences[one.sentence], f"{one.sense} · " if one.sense else ""
    first = max(0, one.start - AROUND)
    moved = len(sense) - first
    return wrapped(sense + sentence[first : one.end + AROUND], one.start + moved, one.end + moved)


def _table(panel: SensePanel) -> dict[str, Any]:
    axes = "xyz"[: panel.layers[0].points.shape[1]]
    rows: list[list[Cell]] = [
        [layer.name, number + 1, one.sense, group + 1, *map(float, place)]
        for layer in panel.layers
        for number, (one, group, place) in enumerate(zip(panel.occurrences, layer.clusters, layer.points, strict=True))
    ]
    where = [[panel.sentences[one.sentence], one.start, one.end] for one in panel.occurrences]
    columns = ("layer", "occurrence", "sense", "group", *axes)
    return table_of(columns, rows, model=panel.model, word=panel.word, method=panel.method, occurrences=where)
