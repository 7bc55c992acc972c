"""Draws how often zero-shot is right: a bar per method and model, and chance as a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.results.prompting import BenchResult
from app.views.plots import COLOURS, INK, Trace, axis, figure, shortened, table_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

HEIGHT = 340


def plot_accuracy(results: Sequence[BenchResult], labels: Mapping[str, str]) -> Figure:
    """Accuracy by method, one trace per model.

    Args:
        results: on the same texts, one per model.
        labels: the tab's texts in one language.
    """
    first = results[0]
    methods = [labels[f"method.{method}"] for method in first.accuracy]
    levels = [("chance", first.chance, "dash")]
    if first.majority > first.chance:
        levels.append(("majority", first.majority, "dot"))
    rows = [(result.model, method, share) for result in results for method, share in result.accuracy.items()]
    rows += [("", key, share) for key, share, _ in levels]
    bars = [_bars(result, number, methods) for number, result in enumerate(results)]
    return figure(
        [*bars, *(_level(f"{labels[key]}: {share:.0%}", share, dash, methods) for key, share, dash in levels)],
        told=labels["accuracy_told"].format(count=len(first.rows), chance=f"{first.chance:.0%}"),
        name="zero_shot-accuracy",
        height=HEIGHT,
        table=table_of(("model", "method", "accuracy"), rows, shots=first.shots),
        xaxis=axis(labels["method"]),
        yaxis=axis(labels["accuracy"], range=[0, 1.08], tickformat=".0%"),
        barmode="group",
    )


def _bars(result: BenchResult, number: int, methods: Sequence[str]) -> Trace:
    shares = list(result.accuracy.values())
    return {
        "type": "bar",
        "name": shortened(result.model),
        "x": methods,
        "y": shares,
        "marker": {"color": COLOURS[number % len(COLOURS)]},
        "text": [f"{share:.0%}" for share in shares],
        "textposition": "outside",
        "cliponaxis": False,
        "hovertemplate": "%{x}: %{y:.1%}",
    }


def _level(name: str, share: float, dash: str, methods: Sequence[str]) -> Trace:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": name,
        "x": methods,
        "y": [share] * len(methods),
        "line": {"color": INK, "dash": dash, "width": 2},
        "hoverinfo": "name",
    }
