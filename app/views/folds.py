"""Draws the results of k-fold cross-validation: each fold, their mean, and their spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from app.results.tuning.fine_tune import FineTuneResult, FoldScore
from app.views.html import Child, Markup, join, table, tag, th

Labels = Mapping[str, str]
Cells = tuple[Child, ...]


def summary_of_folds(result: FineTuneResult, labels: Labels) -> str:
    """One line on what the model learned from and what judged it."""
    return labels[f"folds.ended.{result.stopped}"].format(
        rows=result.rows, done=len(result.folds), folds=result.folds_asked, seconds=f"{result.seconds:.0f}"
    )


def draw_folds(folds: Sequence[FoldScore], labels: Labels) -> Markup:
    """One row per fold, then their mean and spread; a single fold has no spread."""
    names = ("folds.fold", "folds.rows", "run.accuracy", "run.f1")
    scored = enumerate(folds, start=1)
    rows: list[Cells] = [(th(at), one.rows, f"{one.accuracy:.1%}", f"{one.macro_f1:.3f}") for at, one in scored]
    accuracies, scores = [one.accuracy for one in folds], [one.macro_f1 for one in folds]
    rows.append(_total(labels["folds.mean"], f"{fmean(accuracies):.1%}", f"{fmean(scores):.3f}"))
    if len(folds) > 1:
        rows.append(_total(labels["folds.spread"], f"± {stdev(accuracies) * 100:.1f}", f"± {stdev(scores):.3f}"))
    return join(
        tag("h4", labels["folds.title"]),
        tag("p", labels["folds.told"]),
        table([labels[name] for name in names], rows, class_="scores folds"),
        tag("p", labels["folds.together"]),
    )


def _total(name: str, accuracy: str, score: str) -> Cells:
    return th(name), "", tag("b", accuracy), tag("b", score)
