"""Results about labels of words. Frozen; imports nothing of ours but other results."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.results.text import Unknown


@dataclass(frozen=True)
class TaggedWord:
    """A word with the label that the model gives its first token."""

    text: str
    start: int
    end: int
    label: str  # as the model has it: `B-place`, `O`
    probability: float


@dataclass(frozen=True)
class TaggedEntity:
    """Neighbouring words that have a label together."""

    label: str  # without the sign in front
    start: int
    end: int
    text: str
    probability: float  # the mean of its words'


@dataclass(frozen=True)
class TagResult:
    """Answer of `/tag`."""

    model: str
    revision: str
    words: list[TaggedWord]
    entities: list[TaggedEntity]
    unknown: list[Unknown] = field(default_factory=list)
