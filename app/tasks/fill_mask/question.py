"""A text with its masks, ready for one model: the input of all parts of the task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.base import MaskedLM
from app.engine.text.text_tokenizer import Encoded

# Each mask of a joint answer takes another pass for every beam.
MAX_MASKS = 20


@dataclass(frozen=True)
class Question:
    """A text with its masks, ready for one model."""

    model: MaskedLM
    text: str
    encoded: Encoded


def top_ids(distribution: np.ndarray, top_k: int) -> list[int]:
    """Indices of the largest values, largest first; equal ones by index."""
    top_k = min(top_k, len(distribution))
    least = np.partition(distribution, -top_k)[-top_k]
    kept = np.flatnonzero(distribution >= least)  # so that only few of the vocabulary need sorting
    return kept[np.argsort(-distribution[kept], kind="stable")[:top_k]].tolist()
