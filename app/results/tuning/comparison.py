"""Results about runs beside each other: how far they answer the same rows alike. Frozen; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunAnswer:
    """What one run's model says of a row."""

    said: str  # a label; of tags, each entity with its kind
    right: bool
    probability: float | None = None  # of the true label; None for tags


@dataclass(frozen=True)
class DisputedRow:
    """A row that not all of the runs answer alike."""

    text: str
    text_pair: str | None
    true: str
    answers: list[RunAnswer]  # in the order of the runs


@dataclass(frozen=True)
class RowComparison:
    """The rows that all of the runs were judged by and none was trained on."""

    shared: int
    disputed: list[DisputedRow]
