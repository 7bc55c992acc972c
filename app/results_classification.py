"""Results about labels of texts and the vectors behind them. Frozen; imports nothing of ours but other results."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.results import Unknown
from app.results_pairs import LabelProbability


@dataclass(frozen=True)
class Classified:
    """One text, or pair, with all labels, by falling probability."""

    text: str
    labels: list[LabelProbability]
    text_pair: str | None = None  # the second text of a pair
    unknown: list[Unknown] = field(default_factory=list)

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
    occlusion: float  # probability of the label with the word, less that with the word hidden


@dataclass(frozen=True)
class WhyResult:
    """Why a text got its label: both methods, word by word."""

    text: str
    attributed: AttributeResult
    labels: list[LabelProbability]  # of the text as it is
    words: list[WordEffect]


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
