"""Draws the fine-tunings of a visit side by side, with their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from app.results.tuning.fine_tune import FineTuneResult
from app.views.html import Markup, card, table

Labels = Mapping[str, str]
COLUMNS = ("name", "base", "method", "epochs", "rate", "batch", "seed", "accuracy", "f1", "seconds")


class Options(Protocol):
    """How a run was trained."""

    method: str
    epochs: int
    learning_rate: float
    batch_size: int
    seed: int
    validation_share: float
    augment: bool
    from_scratch: bool
    class_weight: str
    folds: int


class Run(Protocol):
    result: FineTuneResult
    options: Options


def draw_runs(runs: Sequence[Run], labels: Labels) -> Markup:
    """One row per run."""
    return card(
        table([labels[f"run.{name}"] for name in COLUMNS], (_cells(run, labels) for run in runs), class_="runs")
    )


def method_of(how: Options, labels: Labels) -> str:
    """What was trained, and with which settings."""
    extras = {"scratch": how.from_scratch, "augmented": how.augment, "weighed": how.class_weight, "folds": how.folds}
    said = [labels[key].format(folds=how.folds) for key, on in extras.items() if on]
    return ", ".join([labels[f"method.{how.method}"], *said])


def _cells(run: Run, labels: Labels) -> list[str]:
    made, how = run.result, run.options
    return [
        made.name,
        made.model,
        method_of(how, labels),
        str(how.epochs),
        f"{how.learning_rate:g}",
        str(how.batch_size),
        str(how.seed),
        f"{made.validation.accuracy:.1%}" if made.validation else "–",
        f"{made.validation.macro_f1:.3f}" if made.validation else "–",
        f"{made.seconds:.0f}",
    ]
