"""What a loaded checkpoint can be asked, in the domain's words. Arrays are numpy float32, axes noted beside."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeGuard, TypeVar

import numpy as np

from app.engine.text.text_tokenizer import Encoded, EncodedPair, TextTokenizer
from app.registry.checkpoint import Checkpoint
from app.results.classification import Kind
from app.results.prompting import Sampling


@dataclass(frozen=True)
class MaskedRow:
    """One sequence and the positions whose distribution is wanted."""

    input_ids: list[int]
    token_type_ids: list[int]
    positions: list[int]


@dataclass(frozen=True)
class HeadVectors:
    """What one head computes its weights and its output from; each [token, size of the head]."""

    queries: np.ndarray
    keys: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Attribution:
    """What each token adds to the logit of a label, against a text whose every piece is hidden."""

    tokens: np.ndarray  # [token]; adds up to `logit - baseline_logit`, but for `delta`
    delta: float  # what the sum of the attributions exceeds that difference by
    logit: float
    baseline_logit: float


@dataclass(frozen=True)
class Step:
    """One token that was drawn."""

    token_id: int
    probability: float  # the model's own, before any setting
    adjusted_probability: float  # what it was drawn with
    rank: int  # from 1, by the model's own probability


class LanguageModel(Protocol):
    """What every language model has."""

    checkpoint: Checkpoint
    text: TextTokenizer
    max_tokens: int  # longest sequence, special tokens counted


class Layered(LanguageModel, Protocol):
    """A language model that can be asked after each of its layers."""

    def layer_log_probabilities(self, row: MaskedRow) -> Iterator[np.ndarray]:
        """Log-probabilities [position, vocabulary] at the row's positions, the head put on each layer's states.

        From the last layer, which is the model's own answer, down to layer 0, the embeddings.
        """
        ...


class MaskedLM(Layered, Protocol):
    """A model that predicts hidden pieces from both sides."""

    def masked_log_probabilities(self, rows: list[MaskedRow]) -> Iterator[np.ndarray]:
        """For each row, in order: log-probabilities [position, vocabulary] at its positions.

        The vocabulary head runs at these positions only. Rows are padded together in batches.
        """
        ...


class PairJudge(LanguageModel, Protocol):
    """A model that judges whether the second text follows the first (NSP), or whether both are in order (SOP)."""

    def pair_logits(self, rows: list[EncodedPair]) -> np.ndarray:
        """Logits [row, 2]: index 0 is "follows" or "in order", 1 the opposite. Rows are padded together in batches."""
        ...


class CausalLM(Layered, Protocol):
    """A model that predicts the next token from the left."""

    end_ids: frozenset[int]  # tokens that end a text
    precision: str  # number format of the weights that answer

    def token_scores(self, input_ids: list[int]) -> tuple[np.ndarray, np.ndarray]:
        """How well each token but the first was predicted: log-probabilities and ranks from 1, both [token - 1]."""
        ...

    def next_probabilities(self, input_ids: list[int], sampling: Sampling) -> tuple[np.ndarray, np.ndarray]:
        """The next token's distribution, the model's own and the one it would be drawn from, both [vocabulary]."""
        ...

    def generate(self, input_ids: list[int], max_new_tokens: int, sampling: Sampling) -> Generator[Step, None, None]:
        """Draw tokens one after the other. It ends after a token of `end_ids`, which it also yields.

        Closing the generator stops the model at once. Every stream has its own random numbers, and streams that run at
        the same time share the model's passes.
        """
        ...

    def continuation_scores(self, input_ids: list[int], continuations: list[list[int]]) -> list[np.ndarray]:
        """Log-probability of each token of each continuation, [token] each. The prompt is run once for all of them."""
        ...


class Attentive(LanguageModel, Protocol):
    """A Transformer that shows its attention."""

    layers: int
    heads: int
    causal: bool

    def attentions(self, encoded: Encoded) -> np.ndarray:
        """The weights [layer, head, query, key] as the model itself computes them; rows sum to 1."""
        ...

    def head_vectors(self, encoded: Encoded, layer: int, head: int) -> HeadVectors:
        """Queries, keys and values of one head, from which its weights follow."""
        ...

    def position_vectors(self) -> np.ndarray:
        """The learned vector of each position [position, dimension]."""
        ...


class TokensOfText(Protocol):
    """A text as an encoder reads it: at least the position of each token in it."""

    @property
    def offsets(self) -> Sequence[tuple[int, int] | None]:
        """The span of each token in the text; None for tokens that the model adds."""
        ...


Row = TypeVar("Row", bound=TokensOfText)


class Classifier(Protocol[Row]):
    """A model that puts a text, or a pair, into one of several classes."""

    checkpoint: Checkpoint
    max_tokens: int  # longest text in tokens, those that the model adds counted
    labels: list[str]  # by index; the checkpoint's own names, or "class 0" where it has none
    kind: Kind
    reads_pairs: bool
    explains: bool  # whether it is an `Explaining` one

    @property
    def text(self) -> TextTokenizer | None:
        """Its tokenizer; None where it reads whole words."""
        ...

    def encode(self, text: str, second: str | None = None) -> Row:
        """The text, or the pair, as this classifier reads it."""
        ...

    def label_logits(self, rows: list[Row]) -> Iterator[tuple[list[int], np.ndarray]]:
        """Batch by batch: which rows are done, and their logits [row, label]. Rows of like length go together."""
        ...


class Explaining(Classifier[Encoded], Protocol):
    """A classifier that can say what each token adds."""

    @property
    def text(self) -> TextTokenizer:
        """Its tokenizer."""
        ...

    def attribute(self, row: Encoded, label: int) -> Attribution:
        """Integrated gradients (Sundararajan et al. 2017, arXiv 1703.01365) of a label's logit over the embeddings.

        The baseline is the text with every piece replaced by the mask token.
        """
        ...


def can_explain(classifier: Classifier) -> TypeGuard[Explaining]:
    """Whether `attribute` can be asked of it."""
    return classifier.explains


class Tagger(LanguageModel, Protocol):
    """A model that gives each token of a text a label."""

    labels: list[str]  # by index, as of `Classifier`

    def tag_logits(self, rows: Sequence[Encoded]) -> Iterator[tuple[int, np.ndarray]]:
        """For each text, as batches are done and not in order: its index and its logits [token, label]."""
        ...


class SpanFinder(LanguageModel, Protocol):
    """A model that points at the part of a passage that answers a question."""

    def span_logits(self, rows: Sequence[Encoded]) -> Iterator[tuple[int, np.ndarray]]:
        """For each pair of question and passage, in any order: its index and its logits [2, token].

        The first row says how well an answer would begin at a token, the second how well it would end there.
        """
        ...


class TokenEncoder(Protocol[Row]):
    """A model that gives each token of a text a vector, layer by layer."""

    checkpoint: Checkpoint
    layers: int  # index of the top layer; 0 is what goes into the first one
    width: int  # of a vector
    max_tokens: int  # longest text in tokens, those that the model adds counted
    first_token_sums_up: bool  # whether the first token represents the whole text

    @property
    def text(self) -> TextTokenizer | None:
        """Its tokenizer; None where it reads whole words."""
        ...

    def encode(self, text: str, second: str | None = None) -> Row:
        """The text, or the pair where the encoder reads pairs, as this encoder reads it."""
        ...

    def hidden_states(self, rows: Sequence[Row], layers: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
        """For each row, as batches are done and not in order: its index and its vectors [layer, token, hidden]."""
        ...
