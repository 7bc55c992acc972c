"""Results about runs side by side: how far they agree on the same rows. Frozen; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunAnswer:
    """The answer of one run's model to a row."""

    said: str  # a label; for tags, each entity with its kind
    right: bool
    probability: float | None = None  # of the true label; None for tags


@dataclass(frozen=True)
class DisputedRow:
    """A row on which the runs disagree."""

    text: str
    text_pair: str | None
    true: str
    answers: list[RunAnswer]  # in the order of the runs


@dataclass(frozen=True)
class RowComparison:
    """The rows that judged all of the runs and trained none of them."""

    shared: int
    disputed: list[DisputedRow]
