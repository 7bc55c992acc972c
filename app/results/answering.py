"""Results about answers from a passage. Frozen; imports only other results."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.results.text import Unknown


@dataclass(frozen=True)
class PassageAnswer:
    """A part of the passage as an answer."""

    text: str
    start: int
    end: int
    probability: float  # that it begins there, times that it ends there


@dataclass(frozen=True)
class PassageToken:
    """A piece of the passage; where windows overlap, with the larger probability."""

    start: int
    end: int
    begins: float  # probability that an answer begins here
    ends: float


@dataclass(frozen=True)
class AnswerResult:
    """Answer of `/answer`."""

    model: str
    revision: str
    answers: list[PassageAnswer]  # by falling probability
    no_answer: float  # that the passage holds none, by the first token ([CLS]) as begin and end
    tokens: list[PassageToken]
    windows: int  # number of overlapping parts in which the passage was read
    unknown: list[Unknown] = field(default_factory=list)
