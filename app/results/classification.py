"""Results about labels of texts and the vectors behind them. Frozen; imports nothing of ours but other results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.results.sentence_pair import LabelProbability
from app.results.text import Unknown

# What a classifier's outputs are.
Kind = Literal["one", "several", "number"]
ONE: Kind = "one"  # one label holds: probabilities by softmax
SEVERAL: Kind = "several"  # labels hold independently of each other: each has its own sigmoid
NUMBER: Kind = "number"  # an output is a score, no probability
# A label of several holds from this probability on.
HOLDS = 0.5


@dataclass(frozen=True)
class LabelScore:
    """A label with a score that is no probability."""

    label: str
    score: float


Labelled = LabelProbability | LabelScore


@dataclass(frozen=True)
class Classified:
    """One text, or pair, with all labels, by falling probability or score."""

    text: str
    labels: list[Labelled]
    text_pair: str | None = None  # the second text of a pair
    kind: Kind = ONE
    unknown: list[Unknown] = field(default_factory=list)

    @property
    def holding(self) -> list[Labelled]:
        """The label that holds; of several independent ones those that do, perhaps none."""
        if self.kind == SEVERAL:
            return [one for one in self.labels if isinstance(one, LabelProbability) and one.probability >= HOLDS]
        return self.labels[:1]

    @property
    def verdict(self) -> str:
        """The names of the labels that hold."""
        return " + ".join(entry.label for entry in self.holding) or "—"

    @property
    def parts(self) -> list[str]:
        """The text, or both texts of a pair."""
        return [self.text] if self.text_pair is None else [self.text, self.text_pair]

    @property
    def whole(self) -> str:
        """As one line, with a bar between the texts of a pair."""
        return " | ".join(self.parts)


@dataclass(frozen=True)
class ClassifyResult:
    """Answer of `/classify`."""

    model: str
    revision: str
    results: list[Classified]
    kind: Kind = ONE


@dataclass(frozen=True)
class AttributedToken:
    """What one token adds to the logit of the label."""

    token: str
    start: int | None  # None for tokens that the model adds
    end: int | None
    attribution: float


@dataclass(frozen=True)
class AttributeResult:
    """Answer of `/attribute`."""

    model: str
    revision: str
    label: str
    method: str
    tokens: list[AttributedToken]
    convergence_delta: float  # what the attributions add up to, less `logit - baseline_logit`
    logit: float  # of the label for the text
    baseline_logit: float  # ... with every piece hidden
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class WordEffect:
    """One word of a text: what it adds to the label's logit, and what hiding it does."""

    text: str
    start: int
    end: int
    attribution: float  # of its pieces together
    occlusion: float  # the label's probability (or score) with the word, less that with the word hidden


@dataclass(frozen=True)
class WhyResult:
    """Why a text got its label: both methods, word by word."""

    text: str
    attributed: AttributeResult
    labels: list[Labelled]  # of the text as it is
    words: list[WordEffect]
    kind: Kind = ONE


@dataclass(frozen=True)
class EmbedResult:
    """Answer of `/embed`."""

    model: str
    revision: str
    layer: int  # counted from 0, the embeddings
    vectors: list[list[float]]  # [text, hidden]
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class LabelMap:
    """Texts as points."""

    model: str
    method: str  # how it was drawn: "pca" where too few texts differ for another, "tsne" or "umap"
    setting: float  # t-SNE's perplexity or UMAP's neighbours; 0 for PCA
    points: list[list[float]]  # [text, 2], from -1 to 1
    labels: list[str]  # what the points are coloured by
    texts: list[str]
    explained: list[float] = field(default_factory=list)  # PCA: each axis' share of the vectors' variance
