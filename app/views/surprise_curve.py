"""Draws the bits of each token of a text, with texts side by side on the same scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.results.text import ScoreResult
from app.views.plots import COLOURS, INK, axis, figure, plain, table_of
from app.views.surprise import bits
from app.views.words_axis import words_axis

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT = 340


def plot_bits(results: Sequence[ScoreResult], labels: Mapping[str, str]) -> list[Figure]:
    """A bar per token, and the mean as a line.

    Args:
        results: of the texts, by the same model.
        labels: the tab's texts in one language.
    """
    most = max(bits(token.log_probability) for result in results for token in result.tokens)
    return [_plot_one(result, number, most, labels) for number, result in enumerate(results, start=1)]


def _plot_one(result: ScoreResult, number: int, most: float, labels: Mapping[str, str]) -> Figure:
    cost = [bits(token.log_probability) for token in result.tokens]
    mean, dearest = sum(cost) / len(cost), max(range(len(cost)), key=cost.__getitem__)
    places = [str(place) for place in range(len(cost))]
    bars = {
        "type": "bar",
        "name": plain(result.model),
        "x": places,
        "y": cost,
        "marker": {"color": COLOURS[number - 1]},
        "hovertext": [
            f"{plain(token.token)}: {plain(labels['bits'].format(bits=f'{one:.1f}', rank=f'{token.rank:,}'))}"
            for token, one in zip(result.tokens, cost, strict=True)
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }
    level = {
        "type": "scatter",
        "mode": "lines",
        "name": plain(labels["mean_bits"].format(bits=f"{mean:.1f}")),
        "x": places,
        "y": [mean] * len(cost),
        "line": {"color": INK, "dash": "dash", "width": 2},
        "hoverinfo": "skip",
    }
    told = {"token": result.tokens[dearest].token.strip(), "most": f"{cost[dearest]:.1f}", "bits": f"{mean:.1f}"}
    rows = zip((token.token for token in result.tokens), cost, (token.rank for token in result.tokens), strict=True)
    return figure(
        [bars, level],
        told=labels["bits_told"].format(number=number, model=result.model, **told),
        name=f"bits-{result.model}-{number}",
        height=HEIGHT,
        table=table_of(("token", "bits", "rank"), rows, model=result.model, kind=result.kind),
        xaxis=words_axis([token.token for token in result.tokens], f"{labels['text']} {number}"),
        yaxis=axis(labels["bits_all"], range=[0, most * 1.05 or 1]),
        showlegend=True,
    )
