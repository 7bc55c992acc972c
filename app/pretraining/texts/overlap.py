"""Keeps evaluation texts out of the training text: no equal sentence, no shared run of ten words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from app.pretraining.data.corpus import split_sentences

FEWEST_WORDS, RUN = 5, 10
_WORD = re.compile(r"[^\W_]+")


class Overlap:
    """The sentences and all runs of ten words of a folder of evaluation sets.

    Args:
        folder: has `.tsv` and `.txt` files in it or below it; each cell of a table is a text.
    """

    def __init__(self, folder: Path) -> None:
        self._sentences: set[str] = set()
        self._runs: set[str] = set()
        for path in sorted([*folder.rglob("*.tsv"), *folder.rglob("*.txt")]):
            for cell in re.split(r"[\t\n]", path.read_text(encoding="utf-8", errors="replace")):
                for words in _sentences(cell):
                    self._sentences.add(" ".join(words))
                    self._runs.update(_runs(words))

    def __contains__(self, paragraph: str) -> bool:
        return any(
            " ".join(words) in self._sentences or any(run in self._runs for run in _runs(words))
            for words in _sentences(paragraph)
        )


def _sentences(text: str) -> Iterator[list[str]]:
    """Each sentence's words, letters and digits only; Chinese sentences as their characters."""
    for sentence in split_sentences(text):
        words = _WORD.findall(sentence.lower())
        if re.search(r"[\u4e00-\u9fff]", sentence):
            words = list("".join(words))
        if len(words) >= FEWEST_WORDS:
            yield words


def _runs(words: list[str]) -> Iterator[str]:
    return (" ".join(words[start : start + RUN]) for start in range(len(words) - RUN + 1))
