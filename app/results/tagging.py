"""Results about labels of words. Frozen; imports only other results."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.results.text import Unknown


@dataclass(frozen=True)
class TaggedWord:
    """A word with the label that the model gives its first token."""

    text: str
    start: int
    end: int
    label: str  # in the model's form: `B-place`, `O`
    probability: float


@dataclass(frozen=True)
class TaggedEntity:
    """Neighbouring words that share a label."""

    label: str  # without the prefix
    start: int
    end: int
    text: str
    probability: float  # mean over its words


@dataclass(frozen=True)
class TagResult:
    """Answer of `/tag`."""

    model: str
    revision: str
    words: list[TaggedWord]
    entities: list[TaggedEntity]
    kinds: list[str]  # all that the model knows, in the order of its labels, without the prefix
    unknown: list[Unknown] = field(default_factory=list)
