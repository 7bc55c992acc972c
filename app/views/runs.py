"""Draws the fine-tunings of a visit beside each other, with what each was trained by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Protocol

from app.results.fine_tune import FineTuneResult

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
    """One run."""

    result: FineTuneResult
    options: Options


def draw_runs(runs: Sequence[Run], labels: Labels) -> str:
    """One row a run."""
    head = "".join(f"<th scope='col'>{escape(labels[f'run.{name}'])}</th>" for name in COLUMNS)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(run, labels))}</tr>" for run in runs)
    return (
        f"<article class='answer'><div class='scroll'><table class='runs'><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></article>"
    )


def method_of(how: Options, labels: Labels) -> str:
    """What learned, and by which particulars."""
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
