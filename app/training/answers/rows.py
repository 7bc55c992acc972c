"""Questions about passages, with the part of the passage that answers each."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.engine.text.passages import Span

# An answer that stands several times in its passage is followed by this and by words around the one that is meant.
AROUND = " ## "


@dataclass(frozen=True)
class Asked:
    """A question about a passage.

    Attributes:
        passage: the text.
        question: about it.
        answer: from where to where in the passage; None if it does not say.
    """

    passage: str
    question: str
    answer: Span | None

    @property
    def length(self) -> int:
        """Characters of both texts; rows of similar length are batched together."""
        return len(self.passage) + len(self.question)

    @property
    def answer_text(self) -> str:
        """The answer; empty if there is none."""
        return "" if self.answer is None else self.passage[slice(*self.answer)]


def read_asked(path: Path) -> list[Asked]:
    """The rows of a file: a passage on a line, below it lines of `? question | answer`, then an empty line.

    Raises:
        ValueError: an answer is not in its passage, or more than once.
    """
    blocks = re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip())
    return [_row(passage, line) for passage, *lines in map(str.splitlines, blocks) for line in lines]


def _row(passage: str, line: str) -> Asked:
    question, _, answer = (part.strip() for part in line.removeprefix("?").partition("|"))
    if not answer:
        return Asked(passage, question, None)
    text, _, around = answer.partition(AROUND)
    around = around or text
    if passage.count(around) != 1 or text not in around:
        raise ValueError(f"{answer!r} stands not once in {passage!r}")
    start = passage.index(around) + around.index(text)
    return Asked(passage, question, (start, start + len(text)))


def split_asked(rows: Sequence[Asked], share: float, seed: int) -> tuple[list[Asked], list[Asked]]:
    """Rows to train on and rows kept back; all questions about a passage stay together."""
    passages = [*dict.fromkeys(row.passage for row in rows)]
    random.Random(seed).shuffle(passages)
    back = set(passages[: round(share * len(passages))])
    return [row for row in rows if row.passage not in back], [row for row in rows if row.passage in back]


def beside(row: Asked, other: str, before: bool) -> Asked:
    """The same question about a longer passage: another one stands before or behind."""
    joint = "" if row.passage[-1:] in "。！？" else " "
    if not before:
        return replace(row, passage=row.passage + joint + other)
    moved = len(other) + len(joint)
    answer = None if row.answer is None else (row.answer[0] + moved, row.answer[1] + moved)
    return Asked(other + joint + row.passage, row.question, answer)
