"""The page's advice on the rows of the form: folds if they are few, weights if the labels are uneven."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import Any

from app.errors import PlaygroundError
from app.results.tuning.advice import TuningAdvice
from app.tasks.fine_tune.page import gather_rows

# With fewer rows, one split says little: a quarter of 60 is 15, of which one row is 7 %.
FEW_ROWS = 60
FOLDS = 5
# Above this ratio of rows, a frequent label is learnt at the expense of a rare one.
UNEVEN = 2.0


def advise(*given: Any) -> TuningAdvice:
    """Advice on the form's rows; empty if they cannot be read yet or if they label words.

    Args:
        *given: the form's fields, as for `gather_rows`.
    """
    with suppress(PlaygroundError):
        rows = gather_rows(*given)
        if rows and all(row.get("label") for row in rows):
            return _advise(rows)
    return TuningAdvice()


def _advise(rows: list[dict[str, Any]]) -> TuningAdvice:
    counts = Counter(row["label"] for row in rows)
    if len(counts) < 2:
        return TuningAdvice()
    ordered = counts.most_common()
    (large, largest), (small, smallest) = ordered[0], ordered[-1]
    different = Counter(label for *_, label in {(row["text"], row.get("text_pair"), row["label"]) for row in rows})
    folds = min(FOLDS, min(different.values()))
    proposed = folds if len(rows) < FEW_ROWS and folds > 1 else 0
    return TuningAdvice(len(rows), proposed, largest > UNEVEN * smallest, largest, smallest, large, small)
