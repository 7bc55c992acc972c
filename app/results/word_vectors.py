"""Results about words as vectors, one per word whatever its context. Frozen, plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Neighbour:
    """A word of the vocabulary and its vector's cosine with the requested one."""

    word: str
    cosine: float


@dataclass(frozen=True)
class WordVectorsResult:
    """The words nearest to a word."""

    model: str
    revision: str
    word: str  # as the vocabulary spells it
    rank: int  # its place among the words by frequency, from 1
    words: int  # size of the vocabulary
    dimensions: int  # numbers in a vector
    vector: list[float]
    neighbours: list[Neighbour]  # nearest first, without the word itself


@dataclass(frozen=True)
class AnalogyResult:
    """An analogy: `first` is to `second` as `third` is to what?"""

    model: str
    revision: str
    first: str  # all three as the vocabulary spells them
    second: str
    third: str
    answers: list[Neighbour]  # nearest to second - first + third, without these three words
    nearest_of_all: Neighbour  # the same including them: nearly always one of the three


@dataclass(frozen=True)
class PlacedWord:
    """A word on the map."""

    word: str
    group: str
    x: float
    y: float


@dataclass(frozen=True)
class WordMap:
    """Words on the plane of their first two principal components."""

    model: str
    words: list[PlacedWord]
    explained: list[float]  # share of the mapped words' variance along each axis
    asked: PlacedWord | None = None  # placed on the same plane, which it did not help to find


@dataclass(frozen=True)
class OneVector:
    """One word's occurrences in sentences, one entry each: by static vectors, and by a model that reads them."""

    word: str
    static_model: str
    model: str
    sentences: list[str]  # without their labels
    spans: list[tuple[int, int]]  # of the word in its sentence
    senses: list[str | None]  # the labels
    static: list[list[float]]  # cosines [place][place]
    contextual: list[list[float]]
