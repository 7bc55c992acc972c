"""Words: how a text is split into them, and what word models can be asked besides vectors. Continues `base.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from app.late_imports import importing
from app.registry.checkpoint import Checkpoint


@dataclass(frozen=True)
class TwoWayPrediction:
    """A word, and what a language model of each direction expected in its place: (word, probability), best first."""

    word: str
    from_left: list[tuple[str, float]]
    from_right: list[tuple[str, float]]


class TwoWayLM(Protocol):
    """A model that predicts a word from those before it and, separately, from those after it."""

    checkpoint: Checkpoint

    def predict(self, text: str, start: int, count: int) -> TwoWayPrediction:
        """The likeliest `count` words in place of the word at a character of the text; the word itself is not seen."""
        ...


class VocabularyNeighbours(Protocol):
    """A vocabulary with one vector a word."""

    checkpoint: Checkpoint
    words: Sequence[str]  # the most frequent first

    def place(self, word: str) -> int | None:
        """A word's place in the list, in any case; None for a word without a vector."""
        ...

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """Vectors [word, feature] of words that have one."""
        ...

    def nearest(self, word: str, count: int) -> Sequence[tuple[str, float]]:
        """The words nearest to a word, and their cosines; none for a word without a vector."""
        ...

    def analogy(self, first: str, second: str, third: str, count: int) -> Sequence[tuple[str, float]]:
        """The words nearest to second - first + third (3CosAdd), and their cosines; the three may be among them."""
        ...


def split_words(text: str) -> list[tuple[str, int, int]]:
    """The words of a text with their character offsets, as ELMo reads them: each Chinese character is one."""
    with importing():
        from app.models.elmo.tokenization import split_words as split  # brings torch

    return [(word.text, word.start, word.end) for word in split(text)]
