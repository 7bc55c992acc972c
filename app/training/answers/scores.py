"""Scores of answers, as SQuAD's own script counts them (Rajpurkar et al. 2016, arXiv 1606.05250, section 6.1)."""

from __future__ import annotations

import re
from collections import Counter

_WORD = re.compile(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")
_SIGN = re.compile(r"[^\w\s]|_")
_ARTICLES = {"a", "an", "the"}


def words_of(answer: str) -> list[str]:
    """Its words in small letters without articles and punctuation; Chinese by characters, as CMRC 2018 has it."""
    return [word for word in _WORD.findall(_SIGN.sub("", answer.lower())) if word not in _ARTICLES]


def exact(found: str, true: str) -> bool:
    """Whether both have the same words; of no answer, whether both have none."""
    return words_of(found) == words_of(true)


def overlap(found: str, true: str) -> float:
    """F1 of the words that both have; 1 if both are empty, 0 if one is."""
    ours, theirs = words_of(found), words_of(true)
    if not ours or not theirs:
        return float(ours == theirs)
    shared = (Counter(ours) & Counter(theirs)).total()
    return 2 * shared / (len(ours) + len(theirs))
