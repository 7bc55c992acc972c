"""Draws what the folds of a k-fold came to: each of them, their mean, and how far they lie apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from statistics import fmean, stdev

from app.results.fine_tune import FineTuneResult, FoldScore

Labels = Mapping[str, str]


def summary_of_folds(result: FineTuneResult, labels: Labels) -> str:
    """One line on how it went: what the model learned from, and what judged it."""
    return labels[f"folds.ended.{result.stopped}"].format(
        rows=result.rows, done=len(result.folds), folds=result.folds_asked, seconds=f"{result.seconds:.0f}"
    )


def draw_folds(folds: Sequence[FoldScore], labels: Labels) -> str:
    """One row a fold, then their mean and spread; of a single one there is no spread."""
    names = ("folds.fold", "folds.rows", "run.accuracy", "run.f1")
    head = "".join(f"<th scope='col'>{escape(labels[name])}</th>" for name in names)
    rows = [
        _row(str(number), str(one.rows), f"{one.accuracy:.1%}", f"{one.macro_f1:.3f}")
        for number, one in enumerate(folds, start=1)
    ]
    accuracies, scores = [one.accuracy for one in folds], [one.macro_f1 for one in folds]
    rows.append(_row(labels["folds.mean"], "", f"{fmean(accuracies):.1%}", f"{fmean(scores):.3f}", total=True))
    if len(folds) > 1:
        spread = f"± {stdev(accuracies) * 100:.1f}", f"± {stdev(scores):.3f}"
        rows.append(_row(labels["folds.spread"], "", *spread, total=True))
    return (
        f"<h4>{escape(labels['folds.title'])}</h4><p>{escape(labels['folds.told'])}</p><div class='scroll'>"
        f"<table class='scores folds'><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"<p>{escape(labels['folds.together'])}</p>"
    )


def _row(name: str, *cells: str, total: bool = False) -> str:
    shown = "".join(f"<td>{f'<b>{cell}</b>' if total and cell else cell}</td>" for cell in cells)
    return f"<tr><th scope='row'>{escape(name)}</th>{shown}</tr>"
