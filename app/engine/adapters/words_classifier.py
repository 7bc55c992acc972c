"""Classes of texts by their words: a small layer on vectors that are made of words and do not change.

The words are read by static vectors, by ELMo or by a bag of words, each behind `WordsReader`; a model that was trained
so keeps its own small layer and no copy of what it reads with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import torch

from app.engine.base import TokenEncoder, TokensOfText
from app.engine.family import Family
from app.engine.heads import CLASSIFICATION, TOKEN_VECTORS
from app.engine.runtime.loaded import serves
from app.engine.runtime.loader import load_head
from app.registry.checkpoint import Checkpoint
from app.results.classification import ONE

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded

# Rows whose vectors are made at once: a bag of words has as many features as the training rows have words.
ROWS = 256


@runtime_checkable
class WordsReader(Protocol):
    """Makes vectors of texts."""

    max_tokens: int  # longest text in words

    def encode(self, text: str) -> TokensOfText:
        """The words of a text that it knows."""
        ...

    def vectors(self, rows: Sequence[Any]) -> np.ndarray:
        """The vectors of each text [row, layer, feature]."""
        ...


class MeansOfWords:
    """Answers `WordsReader` with the mean over the words of every layer of a frozen model; 0 where it knows no word.

    Longer texts are cut.

    Args:
        checkpoint: static vectors or an ELMo; it is loaded when it is needed and shared with everybody.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.max_tokens: int = self._encoder().max_tokens

    def _encoder(self) -> TokenEncoder[Any]:
        return load_head(self.checkpoint, TOKEN_VECTORS)

    def encode(self, text: str) -> TokensOfText:
        """See `WordsReader`."""
        return self._encoder().encode(text)

    def vectors(self, rows: Sequence[Any]) -> np.ndarray:
        """See `WordsReader`."""
        encoder = self._encoder()
        rows = [replace(row, words=row.words[: self.max_tokens]) for row in rows]
        layers, worded = range(encoder.layers + 1), [place for place, row in enumerate(rows) if row.words]
        made = {
            worded[index]: vectors.mean(axis=1)  # [layer, feature]
            for index, vectors in encoder.hidden_states([rows[place] for place in worded], layers)
        }
        nothing = np.zeros((len(layers), encoder.width), np.float32)
        return np.stack([made.get(place, nothing) for place in range(len(rows))])


class WordsClassifier:
    """Answers `Classifier`; `loaded.model` is the small layer with its labels, `loaded.text` a `WordsReader`."""

    kind = ONE
    explains = False
    reads_pairs = False
    text = None

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint = loaded, loaded.checkpoint
        if not isinstance(loaded.text, WordsReader):
            raise TypeError(
                f"{loaded.checkpoint.name} has a {type(loaded.text).__name__}, which makes no vectors of words"
            )
        self.reader: WordsReader = loaded.text
        self.labels: list[str] = loaded.model.labels
        self.max_tokens: int = self.reader.max_tokens

    def encode(self, text: str, second: str | None = None) -> TokensOfText:
        """See `app.engine.base.Classifier`; it reads single texts."""
        return self.reader.encode(text)

    def label_logits(self, rows: list[TokensOfText]) -> Iterator[tuple[list[int], np.ndarray]]:
        """See `app.engine.base.Classifier`."""
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            with torch.inference_mode():
                logits = self.loaded.model(torch.from_numpy(self.reader.vectors(some)))
            yield list(range(start, start + len(some))), self.loaded.to_numpy(logits)


WORDS = Family(
    model_class=torch.nn.Module,
    tokenizer_class=type(None),
    heads={},
    adapters=serves(CLASSIFICATION, WordsClassifier),
)
