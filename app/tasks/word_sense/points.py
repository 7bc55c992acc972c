"""The vectors of the word-sense page (one word, one set of sentences, one model), kept for the next question.

They serve sliders, methods and neighbours, so the model runs once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from app.analysis.similarity import mix
from app.engine.base import TokenEncoder
from app.engine.heads import TOKEN_VECTORS
from app.engine.runtime.loader import engine
from app.engine.text.words import split_words
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import find
from app.results.text import Unknown
from app.results.word_sense import Occurrence
from app.settings import settings
from app.tasks.cache import TextCache
from app.tasks.unknown import unknown_to
from app.tasks.word_sense.encode import check_readable, word_vectors
from app.tasks.word_sense.inflections import other_forms
from app.tasks.word_sense.occurrences import Sentence, check_sentences, check_word, find_occurrences

HEAVIEST_MIX = 20.0  # beyond it, a layer's share is all or nothing


@dataclass(frozen=True)
class SeenWord:
    """A word of a sentence; offsets into `sentences[sentence]`."""

    sentence: int
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Senses:
    """A word in its sentences, with its vectors."""

    checkpoint: Checkpoint
    word: str
    sentences: list[str]  # as the model reads them, without labels
    occurrences: list[Occurrence]  # offsets into the sentences
    vectors: np.ndarray  # [layer, occurrence, hidden]
    words: list[SeenWord]  # the words that have a vector
    word_vectors: np.ndarray  # [layer, word, hidden], float16
    unknown: list[Unknown]  # parts of the sentences the model does not know

    @property
    def bytes(self) -> int:
        """Bytes of the arrays."""
        return self.vectors.nbytes + self.word_vectors.nbytes

    def at(self, layer: int, weights: list[float] | None) -> np.ndarray:
        """The occurrences' vectors [occurrence, hidden] at a layer, or mixed."""
        return self.vectors[layer] if weights is None else mix(self.vectors, weights)

    def words_at(self, layer: int, weights: list[float] | None) -> np.ndarray:
        """The same for all words."""
        if weights is None:
            return self.word_vectors[layer].astype(np.float32)
        return mix(self.word_vectors.astype(np.float32), weights)


def see(lines: str, word: str, model: str, inflected: bool) -> Senses:
    """The vectors, from the cache if the same was asked lately.

    Args:
        lines: one sentence per line, with or without a label in front.
        word: the word to look for.
        model: catalog name; empty for the default.
        inflected: whether other forms of the word count too.

    Raises:
        PlaygroundError: as `word_sense`.
    """
    if not isinstance(lines, str):
        raise PlaygroundError("bad_value", "text", field="sentences")
    given, word = check_sentences(lines.replace("\r", "").split("\n")), check_word(word)
    occurrences = find_occurrences(given, word, other_forms(word) if inflected else [])
    loaded = engine().get(find(model or "", "word_sense", word, lines))
    encoder = loaded.head(TOKEN_VECTORS)
    # Other files may have replaced the model's since, so its version is part of the key.
    key = (encoder.checkpoint.name, loaded.version, lines, word, bool(inflected))
    return kept().get(key, lambda: _look(encoder, word, given, occurrences))


def _look(encoder: TokenEncoder, word: str, given: list[Sentence], occurrences: list[Occurrence]) -> Senses:
    place = {sentence.index: number for number, sentence in enumerate(given)}
    start = {sentence.index: sentence.start for sentence in given}
    moved = [
        Occurrence(place[o.sentence], o.start - start[o.sentence], o.end - start[o.sentence], o.text, o.sense)
        for o in occurrences
    ]
    texts = [sentence.text for sentence in given]
    words = [
        SeenWord(number, begin, end, text)
        for number, sentence in enumerate(texts)
        for text, begin, end in split_words(sentence)
        if any(letter.isalnum() for letter in text)
    ]
    placed: list[Occurrence | SeenWord] = [*moved, *words]
    spans = [[(one.start, one.end) for one in placed if one.sentence == number] for number in range(len(texts))]
    found = word_vectors(encoder, texts, spans, range(encoder.layers + 1))
    counts = [sum(o.sentence == number for o in moved) for number in range(len(texts))]
    vectors = np.concatenate([part[:, :count] for part, count in zip(found, counts, strict=True)], axis=1)
    check_readable(vectors, [o.text for o in moved], encoder.checkpoint.name)
    others = np.concatenate([part[:, count:] for part, count in zip(found, counts, strict=True)], axis=1)
    has_vector = ~np.isnan(others).any(axis=(0, 2))
    return Senses(
        checkpoint=encoder.checkpoint,
        word=word,
        sentences=texts,
        occurrences=moved,
        vectors=vectors,
        words=[one for one, has in zip(words, has_vector, strict=True) if has],
        word_vectors=others[:, has_vector].astype(np.float16),
        unknown=unknown_to(encoder, [encoder.encode(text) for text in texts], texts),
    )


def check_weights(weights: object, senses: Senses) -> list[float] | None:
    """Return the weights of the scalar mix before softmax; None if there are none.

    Raises:
        PlaygroundError: `bad_value`, not one number per layer.
    """
    if weights is None:
        return None
    layers = len(senses.vectors)
    if not isinstance(weights, list) or len(weights) != layers:
        raise PlaygroundError("bad_value", "list", field="weights", limit=layers)
    for weight in weights:
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not -HEAVIEST_MIX <= weight <= HEAVIEST_MIX:
            raise PlaygroundError("bad_value", "range", field="weights", low=-HEAVIEST_MIX, high=HEAVIEST_MIX)
    return [float(weight) for weight in weights]


@cache
def kept() -> TextCache[Senses]:
    """The cache of this process."""
    return TextCache(settings().senses_mb * 1_000_000, lambda senses: senses.bytes)
