"""Splits a text into words of a vocabulary: Chinese, which has no spaces, is cut where frequent words fit best."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby

from app.models.elmo.tokenization import Word, split_words

# Cost of a character that is not a word: more than any two words.
UNKNOWN = 40.0
LONGEST = 8


def split_into(text: str, ranks: Mapping[str, int]) -> list[Word]:
    """The words of a text with their character offsets.

    Args:
        text: any.
        ranks: each lower-case word's place in the vocabulary, 0 for the most frequent.
    """
    made: list[Word] = []
    # Characters of one run are adjacent: their places in the text and in the list grow together.
    numbered = ((word, _is_chinese(word), word.start - number) for number, word in enumerate(split_words(text)))
    for (chinese, _), run in groupby(numbered, key=lambda one: (one[1], one[1] and one[2])):
        words = [word for word, *_ in run]
        made += _segment(words, ranks) if chinese else words
    return made


def _is_chinese(word: Word) -> bool:
    return "\u3400" <= word.text[0] <= "\u9fff"


def _segment(characters: list[Word], ranks: Mapping[str, int]) -> Iterator[Word]:
    """The cheapest way through a run of characters: by Zipf's law, a word's probability is proportional to 1 / rank."""
    best: list[tuple[float, int]] = [(0.0, 0)]  # [characters read]: cost, where the last word begins
    written = [character.text for character in characters]
    for end in range(1, len(written) + 1):
        ways = []
        for start in range(max(0, end - LONGEST), end):
            rank = ranks.get("".join(written[start:end]))
            if rank is not None or end - start == 1:
                ways.append((best[start][0] + (UNKNOWN if rank is None else math.log(rank + 2)), start))
        best.append(min(ways))
    cuts = [len(written)]
    while cuts[-1]:
        cuts.append(best[cuts[-1]][1])
    for start, end in zip(cuts[:0:-1], cuts[-2::-1], strict=True):
        first, last = characters[start], characters[end - 1]
        yield Word("".join(written[start:end]), first.start, last.end)
