"""A bag of words: how often each word occurs in a text, weighted by its rarity across texts (TF-IDF, scikit-learn)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from app.errors import PlaygroundError

WORD = re.compile(r"\b\w+\b")  # "I" and "a" count as well
MOST_WORDS = 20_000


@dataclass(frozen=True)
class Bag:
    """A text; `offsets` are those of its words or characters that occurred in the training rows."""

    text: str
    offsets: list[tuple[int, int]]


class BagOfWords:
    """Implements `app.engine.adapters.words_classifier.WordsReader` with a single layer."""

    max_tokens = MOST_WORDS

    def __init__(self) -> None:
        self.vectorizer = TfidfVectorizer()

    def learn_words(self, texts: Sequence[str]) -> None:
        """Make the words of these texts the vocabulary.

        Raises:
            PlaygroundError: `empty_text`, none of them has any words.
        """
        try:
            self.vectorizer = vectorizer_for(texts).fit(texts)
        except ValueError as error:  # an empty vocabulary
            raise PlaygroundError("empty_text", field="examples") from error

    def encode(self, text: str) -> Bag:
        """See `WordsReader`."""
        known = self.vectorizer.vocabulary_
        pattern = WORD if self.vectorizer.analyzer == "word" else re.compile(r"\S")
        return Bag(text, [found.span() for found in pattern.finditer(text) if found.group().lower() in known])

    def vectors(self, rows: Sequence[Bag]) -> np.ndarray:
        """See `WordsReader`."""
        return self.vectorizer.transform([row.text for row in rows]).toarray().astype(np.float32)[:, None]


def vectorizer_for(texts: Sequence[str]) -> TfidfVectorizer:
    """Words if spaces separate them; else characters and pairs of characters."""
    spaced = sum(" " in text.strip() for text in texts) > len(texts) / 2
    if spaced:
        return TfidfVectorizer(token_pattern=WORD.pattern)
    return TfidfVectorizer(analyzer="char", ngram_range=(1, 2))
