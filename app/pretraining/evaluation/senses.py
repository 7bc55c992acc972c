"""Which sense a word has: the sense of the training occurrence with the most similar vector.

CoarseWSD-20: Loureiro et al. 2021, arXiv 2008.11608. Knows vectors, no model.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from app.models.static_vectors import StaticVectors


@dataclass(frozen=True)
class Occurrence:
    """A word in a sentence, and its sense."""

    words: list[str]
    index: int
    sense: str


def read_senses(path: Path, most: int) -> list[Occurrence]:
    """The rows of one file (class, index of the word, space-separated words), evenly thinned to `most`."""
    with path.open(encoding="utf-8", newline="") as opened:
        rows = list(csv.DictReader(opened, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = rows[:: max(1, math.ceil(len(rows) / most))]
    return [Occurrence(row["sentence"].split(" "), int(row["index"]), row["class"]) for row in rows]


def nearest_sense_accuracy(
    known: np.ndarray, asked: np.ndarray, train: list[Occurrence], test: list[Occurrence]
) -> float:
    """Share of test occurrences that have the sense of their nearest training occurrence (by cosine).

    Args:
        known: vectors of the training occurrences [occurrence, feature].
        asked: vectors of the test occurrences.
        train, test: the occurrences, for their senses.
    """
    known, asked = (side / np.linalg.norm(side, axis=1, keepdims=True).clip(min=1e-9) for side in (known, asked))
    nearest = (asked @ known.T).argmax(axis=1)
    return float(np.mean([train[row].sense == one.sense for row, one in zip(nearest, test, strict=True)]))


def most_frequent_sense(train: list[Occurrence], test: list[Occurrence]) -> float:
    """Accuracy of always answering the most frequent training sense."""
    ((sense, _),) = Counter(one.sense for one in train).most_common(1)
    return float(np.mean([one.sense == sense for one in test]))


def context_mean(static: StaticVectors, occurrence: Occurrence) -> np.ndarray:
    """Mean static vector of the other words. The word's own vector would be the same everywhere."""
    others = [word for at, word in enumerate(occurrence.words) if at != occurrence.index]
    others = [word for word in others if static.row(word) is not None]
    if not others:
        return np.zeros(static.vectors.size(1), dtype=np.float32)
    with torch.inference_mode():
        return static(others).mean(dim=0).numpy()
