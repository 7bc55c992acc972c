"""Results about pairs of sentences: does the second follow, and which order is right? Frozen, plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.results.text import Unknown


@dataclass(frozen=True)
class LabelProbability:
    """One label of a head with its share; a head's shares add up to one."""

    label: str
    probability: float


@dataclass(frozen=True)
class SentencePairResult:
    """Answer of `/sentence_pair`."""

    model: str
    revision: str
    objective: str  # "nsp" or "sop"
    labels: list[LabelProbability]  # `is_next`, `not_next` or `in_order`, `swapped`, always in this order
    swapped: list[LabelProbability]  # the same for the reversed pair
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class SentenceMatrixResult:
    """Answer of `/sentence_matrix`."""

    model: str
    revision: str
    objective: str
    probability: list[list[float | None]]  # [i][j]: probability that j follows i; None on the diagonal
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class TopicTrapResult:
    """Three pairs that show whether a head looks at order or only at topic."""

    model: str
    objective: str
    probability: list[float]  # of "follows" or "in order": true next, reversed pair, another topic


@dataclass(frozen=True)
class PairAccuracy:
    """How often one model's pair head was right on held-out pairs."""

    model: str
    objective: str  # what it was trained on
    nsp: float
    sop: float
    opening: float | None = None  # order of the first two sentences of documents; not measured for published models


@dataclass(frozen=True)
class Order:
    """A way to put sentences in order."""

    order: list[int]  # indices of the sentences
    log_probability: float  # sum over the neighbours, natural log
    pairs_right: int  # how many pairs, of all, are in their original order


@dataclass(frozen=True)
class ParagraphResult:
    """A paragraph put in order by the model and by a person, and its original order."""

    matrix: SentenceMatrixResult
    best: Order
    own: Order
    written: Order


@dataclass(frozen=True)
class PairModel:
    """A checkpoint in the list of the pair tab."""

    name: str
    family: str
    objective: str  # empty: its file has no trained pair head
    ready: bool  # on this machine
