"""What is sent to a replica: a question about one checkpoint."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.engine.heads import Head
from app.engine.ray.surface import ATTRIBUTES
from app.engine.runtime.loaded import Loaded
from app.engine.text.text_tokenizer import TextTokenizer
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint


def reading_of(loaded: Loaded) -> int:
    """A number for the way a checkpoint reads texts, since ids from another tokenizer would mean other words."""

    def made() -> int:
        text = loaded.text
        written = text.tokenizer.backend_tokenizer.to_str() if isinstance(text, TextTokenizer) else repr(type(text))
        return zlib.crc32(written.encode("utf-8", "surrogatepass"))

    return loaded.derive("reading", made)


@dataclass(frozen=True)
class Described:
    """A checkpoint that a replica has in memory."""

    checkpoint: Checkpoint  # with the revision that was loaded
    heads: frozenset[str]
    reads: int  # see `reading_of`
    version: int


@dataclass(frozen=True)
class Question:
    """A question to a checkpoint's head: a method with its arguments; an empty method means the head's attributes."""

    checkpoint: Checkpoint
    head: str
    reads: int
    method: str = ""
    arguments: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)
    whole: bool = False  # all parts of a streamed answer at once, as a list

    def of(self, method: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> Question:
        """A question to one of the head's methods."""
        return replace(self, method=method, arguments=arguments, named=named)

    @property
    def single(self) -> bool:
        """Whether its answer has one part, because it is about one row."""
        rows = self.arguments[0] if self.arguments else ()
        return isinstance(rows, list | tuple) and len(rows) == 1 and not isinstance(rows[0], int)

    @property
    def joins(self) -> bool:
        """Whether it can be asked together with others of its kind: see `parted`."""
        return self.single and (self.whole or self.method == "pair_logits")

    @property
    def kind(self) -> Hashable:
        """The same for questions that differ in their rows alone: these can be asked at once."""
        rest = repr((self.arguments[1:], self.named))
        return self.checkpoint, self.head, self.reads, self.method, self.whole, rest

    def answer(self, loaded: Loaded) -> Any:
        """The answer of a loaded checkpoint.

        Raises:
            PlaygroundError: `missing_head`, and the adapter's refusals; `busy`, an update brought another vocabulary,
                and the caller has not noticed yet.
        """
        if self.reads != reading_of(loaded):
            raise PlaygroundError("busy")
        adapter: Any = loaded.head(Head(self.head))
        if self.method:
            answer = getattr(adapter, self.method)(*self.arguments, **self.named)
            return list(answer) if self.whole else answer
        return {name: getattr(adapter, name) for name in ATTRIBUTES if hasattr(adapter, name)}


def joined(questions: Sequence[Question]) -> Question:
    """One question with the rows of several of one kind, each of which has one."""
    first = questions[0]
    rows = [row for question in questions for row in question.arguments[0]]
    return replace(first, arguments=(rows, *first.arguments[1:]))


def parted(answer: Any, count: int) -> list[Any]:
    """Each row's own answer, out of the one to so many rows.

    Args:
        answer: an array [row, ...], or the parts of a streamed answer: of one row each, in their order or with its
            place; or of several, with their places.
        count: of the rows.
    """
    if isinstance(answer, np.ndarray):
        return [answer[place : place + 1] for place in range(count)]
    own: list[list[Any]] = [[] for _ in range(count)]
    for number, part in enumerate(answer):
        match part:
            case int(place), vectors:
                own[place].append((0, vectors))
            case [*places], logits:
                for place, row in zip(places, logits, strict=True):
                    own[place].append(([0], row[None]))
            case _:
                own[number].append(part)
    return own
