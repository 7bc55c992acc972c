"""Results of the prompting tab: next tokens, written texts, zero-shot answers. Frozen, plain data."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.results.text import Unknown


@dataclass(frozen=True)
class Sampling:
    """How the next token is drawn from a distribution.

    Attributes:
        temperature: 0 takes the most probable token (greedy).
        top_k: draw only from this many most probable tokens; 0 for all.
        top_p: draw only from the fewest most probable tokens that together reach this share.
        repetition_penalty: above 1, tokens that already occurred become less probable.
        seed: the same seed draws the same tokens.
    """

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    repetition_penalty: float = 1.0
    seed: int = 0


@dataclass(frozen=True)
class NextToken:
    """One candidate for the next token."""

    token: str
    piece: str
    token_id: int
    probability: float  # the model's own
    adjusted_probability: float  # after temperature and the cut-offs; 0 if it is cut off


@dataclass(frozen=True)
class NextTokenResult:
    """Answer of `/next_token`."""

    model: str
    revision: str
    candidates: list[NextToken]  # by decreasing probability


@dataclass(frozen=True)
class GeneratedToken:
    """One token that a model wrote."""

    token: str
    token_id: int
    probability: float  # the model's own, before temperature and cut-offs
    adjusted_probability: float  # used for drawing it
    rank: int  # from 1, by the model's own probability


@dataclass(frozen=True)
class GenerateResult:
    """Answer of `/generate`."""

    model: str
    revision: str
    completion: str
    tokens: list[GeneratedToken]
    stopped: str  # "length", "end" or "window"
    precision: str  # number format of the weights that answered


@dataclass(frozen=True)
class WrittenPiece:
    """Tokens of a written text that form whole characters together: usually one token."""

    text: str
    content: str  # its bytes in hex
    first: int  # index of the first token
    tokens: list[GeneratedToken]


@dataclass(frozen=True)
class Writing:
    """A text while it is being written."""

    model: str
    prompt: str
    sampling: Sampling
    pieces: list[WrittenPiece]
    stopped: str  # empty while it is being written, else "length", "end" or "window"
    precision: str

    @property
    def tokens(self) -> list[GeneratedToken]:
        """All tokens after the prompt."""
        return [token for piece in self.pieces for token in piece.tokens]


@dataclass(frozen=True)
class TokenChoice:
    """The distribution from which one token was drawn."""

    model: str
    prompt: str
    index: int  # in the written text
    before: str  # the end of the text before it
    sampling: Sampling
    written: NextToken
    rank: int
    kept: int  # candidates left after temperature and the cut-offs
    vocabulary: int
    candidates: list[NextToken]


@dataclass(frozen=True)
class PromptSize:
    """How much of a model's window a prompt takes."""

    tokens: int
    window: int
    ends_with_space: bool  # which changes the tokens that follow


@dataclass(frozen=True)
class LabelScore:
    """One label of a zero-shot question."""

    label: str
    log_probability: float  # sum over its tokens, natural log
    tokens: list[str]
    score: float  # by the method
    probability: float  # softmax of all labels' scores


@dataclass(frozen=True)
class ZeroShotResult:
    """Answer of `/zero_shot`."""

    model: str
    revision: str
    prompt: str
    scores: list[LabelScore]  # in the order of the labels given
    method: str
    unknown: list[Unknown] = field(default_factory=list)  # sentence 0 is the prompt, the labels follow from 1


@dataclass(frozen=True)
class BenchRow:
    """One text with a known answer, and each method's favourite."""

    text: str
    expected: str
    favourites: dict[str, str]  # method -> label


@dataclass(frozen=True)
class BenchResult:
    """How often each way of scoring is right on texts with known answers."""

    model: str
    shots: int
    rows: list[BenchRow]
    accuracy: dict[str, float]  # method -> share of right answers
    chance: float
    majority: float  # of always giving the most frequent label


@dataclass(frozen=True)
class MinimalPair:
    """Two sentences that differ in one respect, and how probable a model finds each."""

    good: str
    bad: str
    good_log_probability: float
    bad_log_probability: float


@dataclass(frozen=True)
class MinimalPairsResult:
    """Pairs decided by probability."""

    model: str
    pairs: list[MinimalPair]
    accuracy: float
