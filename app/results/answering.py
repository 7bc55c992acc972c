"""Results about answers from a passage. Frozen; imports nothing of ours but other results."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.results.text import Unknown


@dataclass(frozen=True)
class PassageAnswer:
    """A part of the passage as an answer."""

    text: str
    start: int
    end: int
    probability: float  # that it begins where it does, times that it ends where it does


@dataclass(frozen=True)
class PassageToken:
    """A piece of the passage; of overlapping windows the larger probability."""

    start: int
    end: int
    begins: float  # that an answer begins here
    ends: float


@dataclass(frozen=True)
class AnswerResult:
    """Answer of `/answer`."""

    model: str
    revision: str
    answers: list[PassageAnswer]  # by falling probability
    no_answer: float  # that the passage holds none, by the first token ([CLS]) as begin and end
    tokens: list[PassageToken]
    windows: int  # in so many overlapping parts the passage was read
    unknown: list[Unknown] = field(default_factory=list)
