"""A visitor's chosen runs side by side, and the rows on which their models differ."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from app.errors import PlaygroundError
from app.results.tuning.comparison import DisputedRow, RowComparison, RunAnswer
from app.results.tuning.fine_tune import Judged, JudgedTags, MarkedSpan
from app.tasks.fine_tune.runs import runs_of
from app.tasks.fine_tune.tune import TunedRun

FEWEST, MOST = 2, 6


def names_of(visitor: str) -> list[str]:
    """The runs of this visit, oldest first."""
    return [run.result.name for run in runs_of(visitor)]


def compare(names: Sequence[str], visitor: str) -> tuple[list[TunedRun], RowComparison]:
    """The chosen runs in the order of the visit, and their answers to the rows that all of them kept back.

    Raises:
        PlaygroundError: `bad_value`, too few or too many runs.
    """
    runs = [run for run in runs_of(visitor) if run.result.name in names]
    if not FEWEST <= len(runs) <= MOST:
        raise PlaygroundError("bad_value", "compared_runs", fewest=FEWEST, most=MOST)
    return runs, compare_rows(runs)


def compare_rows(runs: Sequence[TunedRun]) -> RowComparison:
    """The rows that all runs kept back, and those on which they disagree; equal rows count once."""
    answered = [_rows_of(run) for run in runs]
    shared = [key for key in answered[0] if all(key in rows for rows in answered)]
    disputed = []
    for key in shared:
        answers = [rows[key] for rows in answered]
        if len({_said(one) for one in answers}) > 1:
            first = answers[0]
            pair = first.text_pair if isinstance(first, Judged) else None
            disputed.append(DisputedRow(first.text, pair, _true(first), [_answer(one) for one in answers]))
    return RowComparison(len(shared), disputed)


def _rows_of(run: TunedRun) -> dict[Hashable, Judged | JudgedTags]:
    if run.tagged:
        return {(row.text, tuple(row.true)): row for row in run.tagged}
    return {(row.text, row.text_pair, row.label): row for row in run.judged}


def _said(row: Judged | JudgedTags) -> str:
    return row.predicted if isinstance(row, Judged) else _written(row.text, row.predicted)


def _true(row: Judged | JudgedTags) -> str:
    return row.label if isinstance(row, Judged) else _written(row.text, row.true)


def _answer(row: Judged | JudgedTags) -> RunAnswer:
    probability = row.probability if isinstance(row, Judged) else None
    return RunAnswer(_said(row), _said(row) == _true(row), probability)


def _written(text: str, spans: Sequence[MarkedSpan]) -> str:
    """Entities as a line: `Ada (person), London (place)`."""
    return ", ".join(f"{text[span.start : span.end]} ({span.label})" for span in spans) or "–"
