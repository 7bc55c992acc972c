"""Results about fine-tuning: its input, its course, its outcome. Frozen; imports nothing of ours but results."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class LossPoint:
    """The loss after a step: a running mean over the batches."""

    step: int
    loss: float


@dataclass(frozen=True)
class ValidationPoint:
    """Scores on the validation rows after a step."""

    step: int
    loss: float
    accuracy: float


@dataclass(frozen=True)
class ValidationScores:
    """Scores of the kept model on rows it was not trained on."""

    accuracy: float
    macro_f1: float
    confusion: list[list[int]]  # [true label][predicted label], labels in their order
    baseline_accuracy: float  # of always answering the most frequent label of the training rows

    @property
    def guessing(self) -> float:
        """Share of the largest class among these rows: the best that a constant answer can do."""
        counts = [sum(row) for row in self.confusion]
        return max(counts) / sum(counts)


@dataclass(frozen=True)
class FoldScore:
    """Scores of a model on one fold after learning from all the others."""

    rows: int
    accuracy: float
    macro_f1: float


@dataclass(frozen=True)
class Judged:
    """One validation row before and after training."""

    text: str
    label: str  # the true one
    predicted: str
    probability: float  # of the true label, after training
    probability_before: float  # the same with an untrained head
    text_pair: str | None = None  # the second text of a pair


@dataclass(frozen=True)
class TypeScores:
    """How well entities of one kind are found."""

    label: str
    precision: float
    recall: float
    f1: float
    count: int  # number of true ones


@dataclass(frozen=True)
class EntityScores:
    """How well whole entities are found: words and kind must both be right, as in CoNLL 2000's script."""

    precision: float
    recall: float
    f1: float
    types: list[TypeScores]


@dataclass(frozen=True)
class MarkedSpan:
    """A part of a text, in characters, with its kind."""

    start: int
    end: int
    label: str


@dataclass(frozen=True)
class JudgedTags:
    """One validation row whose words have labels, after training."""

    text: str
    true: list[MarkedSpan]
    predicted: list[MarkedSpan]


@dataclass(frozen=True)
class Mix:
    """How a task mixes the layers of ELMo (Peters et al. 2018, equation 1)."""

    gamma: float
    weights: list[float]  # of each layer, layer 0 first; they sum to 1


@dataclass(frozen=True)
class FineTuneResult:
    """Answer of `/fine_tune`."""

    name: str
    model: str  # what it was made from
    revision: str
    labels: list[str]
    history: list[LossPoint]
    validation: ValidationScores | None  # None: too few rows to keep any back
    seconds: float
    validation_history: list[ValidationPoint]
    kept_step: int  # the step whose weights were kept
    stopped: str  # "done", "stopped" by the visitor, or "time"
    rows: int  # trained on
    validation_rows: int
    pairs: bool = False  # rows were pairs of texts
    cut_rows: int = 0  # rows that were cut because the model does not read so much
    unknown_share: float = 0.0  # share of the texts' pieces outside the model's vocabulary
    before_accuracy: float | None = None  # on the rows kept back, with an untrained head
    doubts: list[str] = field(default_factory=list)  # why it may be no better than luck; empty if it is better
    trained_weights: int = 0  # number of trained weights
    kept_bytes: int = 0  # of the model, without what it shares with others
    mix: Mix | None = None  # of ELMo's layers
    explains: bool = True  # `/attribute` answers with it
    portable: bool = True  # it can be downloaded as files that transformers reads
    kind: str = "text"  # kind of the rows: "text", "pair" or "tags"; for tags, `validation` counts words
    entities: EntityScores | None = None  # for tags, on the rows kept back
    folds: list[FoldScore] = field(default_factory=list)  # for k-fold; `validation` then covers all their rows
    folds_asked: int = 0  # how many were requested; 0 for one split


@dataclass(frozen=True)
class PushState:
    """A model on its way to the Hub."""

    repo_id: str
    bytes: int
    seconds: float
    url: str  # empty until it has arrived


@dataclass(frozen=True)
class TuningReport:
    """The state of a running fine-tuning."""

    step: int
    steps: int
    loss: float
    seconds: float
    seconds_left: float
    validation: ValidationPoint | None  # new with this step
    part: int = 0  # for k-fold: 0 for the kept model, then the number of the fold
    parts: int = 0  # number of folds; 0 for one split
