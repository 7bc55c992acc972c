"""Results about words as vectors: one for each word, whatever stands around it. Frozen, plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Neighbour:
    """A word of the vocabulary and the cosine of its vector with the one that was asked for."""

    word: str
    cosine: float


@dataclass(frozen=True)
class WordVectorsResult:
    """The words nearest to a word."""

    model: str
    revision: str
    word: str  # as the vocabulary writes it
    rank: int  # its place among the words by frequency, from 1
    words: int  # how many there are
    dimensions: int  # numbers in a vector
    vector: list[float]
    neighbours: list[Neighbour]  # the nearest first, the word itself left out


@dataclass(frozen=True)
class AnalogyResult:
    """An analogy: `first` is to `second` as `third` is to what?"""

    model: str
    revision: str
    first: str  # the three as the vocabulary writes them
    second: str
    third: str
    answers: list[Neighbour]  # nearest to second - first + third; the three words left out
    nearest_of_all: Neighbour  # the same with them: nearly always one of the three


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
    asked: PlacedWord | None = None  # laid onto the same plane, which it did not help to find


@dataclass(frozen=True)
class OneVector:
    """One word at its places in sentences, an entry each: by static vectors, and by a model that reads them."""

    word: str
    static_model: str
    model: str
    sentences: list[str]  # without their labels
    spans: list[tuple[int, int]]  # of the word in its sentence
    senses: list[str | None]  # the labels
    static: list[list[float]]  # cosines [place][place]
    contextual: list[list[float]]
