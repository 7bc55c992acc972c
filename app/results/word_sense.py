"""Results about the senses of a word. Frozen, plain data like `app/results/text.py`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.results.text import Unknown


@dataclass(frozen=True)
class Occurrence:
    sentence: int  # index into the sentences as sent
    start: int  # offsets into that sentence as sent, including its label
    end: int
    text: str  # the word as written there
    sense: str | None  # the label before the sentence


@dataclass(frozen=True)
class Senses:
    """How well a layer's vectors separate the labelled senses; None if there is nothing to compare."""

    same: float | None  # mean cosine of two occurrences with the same label
    different: float | None
    margin: float | None  # same - different
    one_nn_accuracy: float | None  # giving each occurrence the label of its nearest other one
    most_frequent_accuracy: float | None  # always answering the most frequent label


@dataclass(frozen=True)
class WordSenseResult:
    """Answer of `/word_sense`."""

    model: str
    revision: str
    layer: int | str  # "mix" for ELMo's mean of all layers
    layers: int  # index of the top layer
    occurrences: list[Occurrence]
    similarity: list[list[float]]  # cosines [occurrence][occurrence]
    projection: list[list[float]]  # principal components [occurrence][x, y] of the vectors, each of length 1
    senses: Senses | None  # None unless two senses are labelled
    unknown: list[Unknown] = field(default_factory=list)  # their sentences and offsets as in `occurrences`


@dataclass(frozen=True)
class Drawn:
    """How a layer's points were really drawn."""

    method: str  # "pca" if too few occurrences differ for another method
    setting: float  # t-SNE's perplexity or UMAP's neighbours; 0 for PCA
    explained: list[float]  # share of the variance along each axis; empty except for PCA
    turned: bool  # rotated to match the layer above, so the axes are not the method's own


@dataclass(frozen=True)
class SenseLayer:
    """One layer, or a mix of them, in the form the page draws. Occurrences keep their order."""

    name: str  # "0" to the top one, or "mix"
    points: np.ndarray  # [occurrence, dimension], from -1 to 1
    drawn: Drawn
    similarity: np.ndarray  # cosines [occurrence, occurrence]
    clusters: list[int]  # of each occurrence, found without labels
    senses: Senses | None


@dataclass(frozen=True)
class SensePanel:
    """One model's view of a word, layer by layer."""

    model: str
    family: str
    word: str
    method: str  # of the projection, as requested
    sentences: list[str]  # without their labels
    occurrences: list[Occurrence]  # offsets into these sentences
    layers: list[SenseLayer]  # from layer 0; a mix comes last
    mix: list[float] = field(default_factory=list)  # each layer's share of it
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class NearWord:
    """A word near to an occurrence."""

    text: str
    cosine: float
    sentence: str | None  # the sentence it is in; None for a word of a vocabulary
    start: int | None
    end: int | None


@dataclass(frozen=True)
class Neighbourhood:
    """The neighbours of one occurrence."""

    model: str
    layer: int | str
    sentence: str
    start: int
    end: int
    in_context: list[NearWord]  # words of other sentences
    static_model: str  # empty if there are no static vectors on this machine
    static: list[NearWord]  # words of their vocabulary
    expected: list[list[tuple[str, float]]]  # by ELMo's own softmax from the left and from the right; may be empty
