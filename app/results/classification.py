"""Results about labels of texts and the vectors behind them. Frozen; imports only other results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from app.results.sentence_pair import LabelProbability
from app.results.text import Unknown

# The meaning of a classifier's outputs.
Kind = Literal["one", "several", "number"]
ONE: Kind = "one"  # one label holds: probabilities by softmax
SEVERAL: Kind = "several"  # labels hold independently: each has its own sigmoid
NUMBER: Kind = "number"  # an output is a score, not a probability
# In SEVERAL, a label holds from this probability.
HOLDS = 0.5


@dataclass(frozen=True)
class LabelScore:
    """A label with a score that is not a probability."""

    label: str
    score: float


Labelled = LabelProbability | LabelScore


@dataclass(frozen=True)
class Classified:
    """One text or pair with all labels, by decreasing probability or score."""

    text: str
    labels: list[Labelled]
    text_pair: str | None = None  # the second text of a pair
    kind: Kind = ONE
    unknown: list[Unknown] = field(default_factory=list)

    @property
    def holding(self) -> list[Labelled]:
        """The label that holds; of independent labels, those that hold, perhaps none."""
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
        """The text on one line; a pair with a bar between its texts."""
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
    """The contribution of one token to the label's logit."""

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
    convergence_delta: float  # sum of the attributions minus `logit - baseline_logit`
    logit: float  # of the label for the text
    baseline_logit: float  # the same with every piece hidden
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class WordEffect:
    """One word of a text: its contribution to the label's logit, and the effect of hiding it."""

    text: str
    start: int
    end: int
    attribution: float  # sum over its pieces
    occlusion: float  # the label's probability (or score) with the word, minus that with the word hidden


@dataclass(frozen=True)
class WhyResult:
    """Why a text got its label: both methods, word by word."""

    text: str
    attributed: AttributeResult
    labels: list[Labelled]  # of the unchanged text
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
    method: str  # how it was drawn: "pca" if too few texts differ for another method, "tsne" or "umap"
    setting: float  # t-SNE's perplexity or UMAP's neighbours; 0 for PCA
    points: list[list[float]]  # [text, 2], from -1 to 1
    labels: list[str]  # what colours the points
    texts: list[str]
    explained: list[float] = field(default_factory=list)  # PCA: each axis's share of the vectors' variance
