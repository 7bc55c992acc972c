"""Text as lower-case words, and how each is usually written: `France`, `the`, `iPhone`. Knows no model."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import regex

from app.models.elmo.tokenization import WORD
from app.pretraining.data.corpus import read_documents, stem

# Only these get a vector: letters, perhaps with marks inside. No punctuation, and no numbers, not even those of kings
# (Louis XIV, 三世), which would be the nearest words to "king".
OF_KINGS = r"x{0,3}(?:ix|iv|v?i{0,3})(?<=..)|[一二三四五六七八九十]+世"
LISTED = regex.compile(rf"(?!(?:{OF_KINGS})$)\p{{L}}[\p{{L}}\p{{M}}'’.-]*")

# A word is shown in lower case if at least this share of its uses inside sentences is.
SMALL_SHARE = 0.2


@dataclass(frozen=True)
class SpeltWords:
    """A text as spelling numbers, sentence after sentence."""

    spellings: list[str]
    ids: np.ndarray  # uint32 [word of the text]
    lengths: np.ndarray  # int64 [sentence], in words
    sources: np.ndarray  # int64 [spelling], a bit for each source that contains it
    inside: np.ndarray  # int64 [spelling], how often it does not begin a sentence


def splitter(language: str) -> Callable[[str], list[str]]:
    """The function that splits a sentence into words; for Chinese, with jieba's dictionary."""
    if language != "zh":
        return WORD.findall
    import logging

    import jieba

    jieba.setLogLevel(logging.ERROR)
    return lambda sentence: jieba.lcut(sentence, HMM=False)


def read_spelt_words(files: list[Path], split: Callable[[str], list[str]]) -> SpeltWords:
    """All words of the files, case kept."""
    numbers: dict[str, int] = {}
    ids, lengths, begins = array("I"), array("I"), Counter[int]()
    bits: dict[str, int] = {}
    places: list[tuple[int, int]] = []  # where a file's words begin, and its source's bit
    for path in files:
        places.append((len(ids), bits.setdefault(stem(path), 1 << len(bits))))
        for document in read_documents(path):
            for sentence in document:
                found = [numbers.setdefault(word, len(numbers)) for word in split(sentence) if word.strip()]
                ids.extend(found)
                lengths.append(len(found))
                begins.update(found[:1])
    written = np.frombuffer(ids, dtype=np.uint32)
    inside = np.bincount(written, minlength=len(numbers))
    for number, count in begins.items():
        inside[number] -= count
    sources = np.zeros(len(numbers), dtype=np.int64)
    for (start, bit), (end, _) in pairwise([*places, (len(ids), 0)]):
        sources[np.unique(written[start:end])] |= bit
    counts = np.frombuffer(lengths, dtype=np.uint32).astype(np.int64)
    return SpeltWords([*numbers], written, counts, sources, inside)


def vocabulary(text: SpeltWords, size: int, sources: int) -> tuple[list[str], np.ndarray]:
    """The most frequent words, each once, in the spelling used within sentences.

    Args:
        text: all words.
        size: the most words to list.
        sources: the least number of sources that must contain a word; otherwise heroes of novels would be listed.

    Returns:
        The words, most frequent first, and for each spelling the row of its word, or -1 if it is not listed.
    """
    small: dict[str, int] = {}
    words = np.array([small.setdefault(spelling.lower(), len(small)) for spelling in text.spellings])
    counts = np.bincount(words[text.ids], minlength=len(small))
    names = [*small]
    found_in = np.zeros(len(small), dtype=np.int64)
    np.bitwise_or.at(found_in, words, text.sources)
    widely = np.bitwise_count(found_in) >= sources
    may_be_listed = [number for number, name in enumerate(names) if widely[number] and LISTED.fullmatch(name)]
    kept = sorted(may_be_listed, key=lambda number: (-counts[number], names[number]))[:size]
    rows = np.full(len(small), -1)
    rows[kept] = np.arange(len(kept))
    spelt: dict[int, dict[str, int]] = {}
    for spelling, word, inside in zip(text.spellings, words.tolist(), text.inside.tolist(), strict=True):
        spelt.setdefault(word, {})[spelling] = inside
    return [_spelling(names[number], spelt[number]) for number in kept], rows[words]


def _spelling(small: str, inside: dict[str, int]) -> str:
    """How a word is shown: in lower case unless that is rare (the king, King Henry), else in its commonest spelling."""
    if inside.get(small, 0) >= SMALL_SHARE * sum(inside.values()):
        return small
    return max(inside, key=lambda spelling: (inside[spelling], spelling))
