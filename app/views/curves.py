"""Draws the progress of a training: loss and accuracy of every run over its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.results.tuning.fine_tune import FineTuneResult, LossPoint, ValidationPoint
from app.views.plots import COLOURS, Trace, axis, figure, shortened, table_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]
Run = tuple[str, Sequence[LossPoint], Sequence[ValidationPoint]]
HEIGHT = 360
Going = tuple[Sequence[LossPoint], Sequence[ValidationPoint], int]


def plot_curves(runs: Sequence[Run], steps: int, labels: Labels) -> Figure:
    """Loss on the training rows, and loss and accuracy on the rows kept back.

    Args:
        runs: name, loss and validation of each.
        steps: right end of the axis, which runs with more steps extend.
        labels: the tab's texts in one language.
    """
    steps = max([steps, 1, *(history[-1].step for _, history, _ in runs if history)])
    coloured = [(run, COLOURS[number % len(COLOURS)]) for number, run in enumerate(runs)]
    traces = [trace for run, colour in coloured for trace in _of_run(*run, colour, labels)]
    rows = [(name, "loss", point.step, point.loss) for name, history, _ in runs for point in thinned(history)]
    for key in ("loss", "accuracy"):
        curve = "accuracy" if key == "accuracy" else "validation_loss"
        rows += [(name, curve, point.step, getattr(point, key)) for name, _, points in runs for point in points]
    share = {"overlaying": "y", "side": "right", "range": [0, 1.02], "tickformat": ".0%", "showgrid": False}
    return figure(
        traces,
        told=labels["curves"],
        name="fine_tune",
        height=HEIGHT,
        table=table_of(("run", "curve", "step", "value"), rows),
        xaxis=axis(labels["steps"], range=[0, steps * 1.02]),
        yaxis=axis(labels["loss"], rangemode="tozero"),
        yaxis2=axis(labels["accuracy"], **share),
        hovermode="x",
    )


def plot_runs(results: Sequence[FineTuneResult], going: Going | None, labels: Labels) -> Figure:
    """The curves of finished trainings, and of the running one with its loss, validation and total steps."""
    runs: list[Run] = [(result.name, result.history, result.validation_history) for result in results]
    if going is None:
        return plot_curves(runs, 0, labels)
    history, validations, steps = going
    return plot_curves([*runs, ("…", list(history), list(validations))], steps, labels)


def _of_run(
    name: str, history: Sequence[LossPoint], points: Sequence[ValidationPoint], colour: str, labels: Labels
) -> list[Trace]:
    loss, named, steps = thinned(history), shortened(name), [point.step for point in points]
    kept = {"type": "scatter", "x": steps, "mode": "lines+markers"}
    return [
        {
            "type": "scatter",
            "mode": "lines",
            "name": f"{named}: {labels['loss']}",
            "x": [point.step for point in loss],
            "y": [point.loss for point in loss],
            "line": {"color": colour, "width": 2},
            "hovertemplate": "%{y:.3f}",
        },
        {
            **kept,
            "name": f"{named}: {labels['validation_loss']}",
            "y": [point.loss for point in points],
            "line": {"color": colour, "width": 2, "dash": "dot"},
            "marker": {"symbol": "diamond", "size": 7},
            "hovertemplate": "%{y:.3f}",
        },
        {
            **kept,
            "name": f"{named}: {labels['accuracy']}",
            "y": [point.accuracy for point in points],
            "yaxis": "y2",
            "line": {"color": colour, "width": 2, "dash": "dash"},
            "marker": {"symbol": "circle", "size": 7},
            "hovertemplate": "%{y:.1%}",
        },
    ]


def thinned(history: Sequence[LossPoint], most: int = 300) -> list[LossPoint]:
    """At most this many points, including the last one."""
    stride = -(-len(history) // most) or 1
    return [*history[::stride], *([history[-1]] if history and (len(history) - 1) % stride else [])]
