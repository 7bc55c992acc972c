"""Static word vectors: one vector per word, independent of its context; a single layer, number 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from app.engine.family import Family
from app.engine.heads import TOKEN_VECTORS, VOCABULARY_NEIGHBOURS
from app.engine.runtime.loaded import serves
from app.models.static_vectors import Neighbour, StaticVectors

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded

MOST_WORDS = 20_000


@dataclass(frozen=True)
class KnownWords:
    """The words of a text that have a vector."""

    words: list[str]
    offsets: list[tuple[int, int]]


class StaticEncoder:
    """Answers `TokenEncoder`; words without a vector are left out."""

    text = None  # it reads whole words
    first_token_sums_up = False
    max_tokens = MOST_WORDS
    layers = 0

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint = loaded, loaded.checkpoint
        self.width: int = loaded.model.vectors.size(1)

    def encode(self, text: str, second: str | None = None) -> KnownWords:
        """See `app.engine.base.TokenEncoder`."""
        if second is not None:
            raise TypeError("static vectors read no pairs")
        words = self.loaded.model.split(text)
        return KnownWords([word.text for word in words], [(word.start, word.end) for word in words])

    def hidden_states(self, rows: Sequence[KnownWords], layers: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
        """See `app.engine.base.TokenEncoder`."""
        for index, row in enumerate(rows):
            with torch.inference_mode():
                vectors = self.loaded.to_numpy(self.loaded.model(row.words))  # [word, feature]
            yield index, np.stack([vectors] * len(layers))


class StaticNeighbours:
    """Answers `VocabularyNeighbours`."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint = loaded, loaded.checkpoint
        self.words = loaded.model.words

    def place(self, word: str) -> int | None:
        """See `app.engine.text.words.VocabularyNeighbours`."""
        return self.loaded.model.row(word)

    def vectors(self, words: Sequence[str]) -> np.ndarray:
        """See `app.engine.text.words.VocabularyNeighbours`."""
        with torch.inference_mode():
            return self.loaded.to_numpy(self.loaded.model(words))

    def nearest(self, word: str, count: int) -> list[Neighbour]:
        """See `app.engine.text.words.VocabularyNeighbours`."""
        with torch.inference_mode():
            return self.loaded.model.nearest(word, count)

    def analogy(self, first: str, second: str, third: str, count: int) -> list[Neighbour]:
        """See `app.engine.text.words.VocabularyNeighbours`."""
        with torch.inference_mode():
            return self.loaded.model.analogy(first, second, third, count)


def read(folder: Path) -> tuple[StaticVectors, None, set[str]]:
    """The vectors of a folder. They are their own tokenizer, and complete or not at all."""
    return StaticVectors.from_pretrained(folder), None, set()


FAMILY = Family(
    model_class=StaticVectors,
    tokenizer_class=type(None),
    heads={TOKEN_VECTORS: ("vectors",), VOCABULARY_NEIGHBOURS: ("vectors",)},
    adapters=serves(TOKEN_VECTORS, StaticEncoder) | serves(VOCABULARY_NEIGHBOURS, StaticNeighbours),
    read=read,
)
