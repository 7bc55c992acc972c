"""Advice on a visitor's rows before a training. Frozen; imports nothing of ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TuningAdvice:
    """Advice on rows with one label each.

    Attributes:
        rows: number of rows.
        folds: number proposed in place of one split; 0 for none.
        uneven: whether weights for the labels are proposed.
        largest: rows of the most frequent label.
        smallest: rows of the rarest label.
        largest_label: its name.
        smallest_label: its name.
    """

    rows: int = 0
    folds: int = 0
    uneven: bool = False
    largest: int = 0
    smallest: int = 0
    largest_label: str = ""
    smallest_label: str = ""
