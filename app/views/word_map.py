"""Draws words as named points, with a look for each group; the requested word is a star."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.results.word_vectors import PlacedWord, WordMap
from app.views.label_map import axis_title
from app.views.plots import INK, Trace, axis, figure, look_of, plain, table_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT = 620


def plot_word_map(made: WordMap, labels: Mapping[str, str], near: Sequence[str] = ()) -> Figure:
    """The groups, one trace each, and the requested word.

    Names that would lie over one another are left out by the page's script, which knows how wide the plot is; a pointer
    on the point shows them. The requested word and those near it have theirs before all others.

    Args:
        made: the points.
        labels: the tab's texts in one language.
        near: the requested word's neighbours.
    """
    groups = list(dict.fromkeys(one.group for one in made.words))
    traces = [
        _of_group(group, [one for one in made.words if one.group == group], number)
        for number, group in enumerate(groups)
    ]
    rows = [(one.word, one.group, one.x, one.y) for one in made.words]
    if made.asked is not None:
        traces.append(_asked(made.asked))
        rows.append((made.asked.word, "", made.asked.x, made.asked.y))
    bare = {"zeroline": False, "showticklabels": False}
    return figure(
        traces,
        told=labels["map_told"].format(count=len(made.words), word=made.asked.word if made.asked else ""),
        name=f"word-map-{made.model}",
        meta={"thinned": [made.asked.word if made.asked else "", *near]},
        height=HEIGHT,
        table=table_of(("word", "group", "x", "y"), rows, model=made.model, explained=made.explained),
        xaxis=axis(axis_title("pca", made.explained, 0), **bare),
        yaxis=axis(axis_title("pca", made.explained, 1), **bare),
        hovermode="closest",
    )


def _of_group(group: str, words: Sequence[PlacedWord], number: int) -> Trace:
    colour, symbol = look_of(number)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": plain(group),
        "x": [one.x for one in words],
        "y": [one.y for one in words],
        "text": [plain(one.word) for one in words],
        "textposition": "top center",
        "textfont": {"size": 11},
        "hovertemplate": "%{text} (%{fullData.name})<extra></extra>",
        "marker": {"color": colour, "symbol": symbol, "size": 8, "opacity": 0.9},
    }


def _asked(word: PlacedWord) -> Trace:
    return {
        "type": "scatter",
        "mode": "markers+text",
        "name": plain(word.word),
        "x": [word.x],
        "y": [word.y],
        "text": [f"<b>{plain(word.word)}</b>"],
        "textposition": "bottom center",
        "textfont": {"size": 15},
        "hovertemplate": "%{text}<extra></extra>",
        # No group has this colour.
        "marker": {"color": INK, "symbol": "star", "size": 20, "line": {"width": 1.5, "color": "#fff"}},
    }
