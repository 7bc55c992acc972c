"""Advice on rows: folds if they are few, weights if a label has more than twice as many as another."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.results.tuning.advice import TuningAdvice
from app.tasks.fine_tune.advice import FEW_ROWS, advise
from app.tasks.fine_tune.page import SETS, read_sample

NOTHING = TuningAdvice()


def lines(*counts: int) -> str:
    """So many rows of the labels A, B and so on."""
    rows = [(label, index) for label, count in zip("ABC", counts, strict=False) for index in range(count)]
    return "\n".join(f"text {label} {index} | {label}" for label, index in rows)


@pytest.mark.parametrize(
    ("counts", "folds", "uneven"),
    [
        ((30, 30), 0, False),
        ((30, 29), 5, False),
        ((40, 20), 0, False),
        ((41, 20), 0, True),
        ((20, 4), 4, True),
        ((10, 10, 2), 2, True),
        ((10, 1), 0, True),
        ((2, 2), 2, False),
    ],
)
def test_by_how_many_rows_there_are(counts: tuple, folds: int, uneven: bool) -> None:
    made = advise(lines(*counts))
    assert (made.folds, made.uneven, made.rows) == (folds, uneven, sum(counts)) and FEW_ROWS == 60
    assert (made.largest, made.smallest) == (max(counts), min(counts))


def test_equal_rows_make_no_folds() -> None:
    assert advise("\n".join(["a | A", "b | B"] * 6)).folds == 0


@pytest.mark.parametrize(
    "written", ["", "no label", "a | A\nb | A", "[Ada](person) ran\n[Lima](place)", "a | b | c | d"]
)
def test_nothing_for_rows_that_cannot_be_read_yet_or_label_words(written: str) -> None:
    assert advise(written) == NOTHING


def test_a_file_stands_in_the_place_of_the_box(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("text,label\n" + "".join(f"row {index},{'AB'[index % 4 == 0]}\n" for index in range(12)), "utf-8")
    made = advise(lines(30, 30), str(path), "", True, "text", "", "label")
    assert (made.rows, made.folds, made.uneven, made.largest_label) == (12, 3, True, "A")
    assert advise("", str(path), "", True, "text", "", "") == NOTHING, "no column is chosen yet"


def test_the_sample_sets_are_even() -> None:
    assert not any(advise(read_sample(name)).uneven for name in SETS)
