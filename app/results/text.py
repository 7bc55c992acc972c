"""What a task returns and a view draws: frozen, plain data, the shapes of the public API.

Imports nothing of ours. `as_json` returns what the endpoints send.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

# Where a checkpoint is: in memory, on this machine, on this machine but incomplete, only on the Hub.
LOADED, READY, UNUSABLE, NOT_DOWNLOADED = "loaded", "ready", "unusable", "not downloaded"


@dataclass(frozen=True)
class Token:
    """One piece of a text as a model reads it."""

    token: str  # as shown to people
    piece: str  # the tokenizer's raw string
    token_id: int
    start: int | None  # offsets into the text as the caller sent it; None for special tokens
    end: int | None
    special: bool


@dataclass(frozen=True)
class LostText:
    """A part of a text without a token: the model does not see it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Unknown:
    """A part of a text that a model does not know: all such parts read as the same sign, or as nothing."""

    start: int
    end: int
    text: str
    sentence: int = 0  # index of the text it is in


@dataclass(frozen=True)
class Candidate:
    """One entry of a distribution over the vocabulary."""

    token: str
    piece: str
    token_id: int
    probability: float


@dataclass(frozen=True)
class MaskAnswer:
    """The most probable pieces for one mask, filled alone."""

    token_index: int  # of the mask, in `tokens`
    candidates: list[Candidate]


@dataclass(frozen=True)
class JointAnswer:
    """All masks filled together."""

    words: list[str]
    text: str
    log_probability: float  # sum of the conditional ones, natural log


@dataclass(frozen=True)
class Target:
    """A word requested by the caller, scored at the first mask."""

    word: str
    pieces: list[str]
    probability: float
    log_probability: float
    rank: int | None  # from 1; None for words of several pieces
    same_as: str | None  # an earlier word of the request with the same pieces for the model


@dataclass(frozen=True)
class Window:
    """The part of a longer text that was read, in characters."""

    start: int
    end: int


@dataclass(frozen=True)
class FillMaskResult:
    """Answer of `/fill_mask`."""

    model: str
    revision: str
    tokens: list[Token]
    masks: list[MaskAnswer]
    joint: list[JointAnswer]
    targets: list[Target]
    window: Window | None
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class TokenizeResult:
    """Answer of `/tokenize`."""

    model: str
    revision: str
    tokens: list[Token]
    lost: list[LostText] = field(default_factory=list)


@dataclass(frozen=True)
class TokenScore:
    """How well a model predicted one token of a text."""

    token: str
    start: int
    end: int
    log_probability: float
    rank: int


@dataclass(frozen=True)
class ScoreResult:
    """Answer of `/score`."""

    model: str
    revision: str
    kind: str  # "causal" or "masked"
    tokens: list[TokenScore]
    log_probability: float
    perplexity: float
    unknown: list[Unknown] = field(default_factory=list)


@dataclass(frozen=True)
class ModelEntry:
    """One row of `/models`."""

    name: str
    family: str
    language: str
    source: str  # "bundled", "package" or "hub"
    repo_id: str
    revision: str
    tasks: list[str]
    parameters: int
    download_bytes: int
    licence: str
    status: str  # LOADED, READY, UNUSABLE or NOT_DOWNLOADED
    problem: Any = None  # what its folder lacks if it is unusable: an error, in a sentence for programs

    @property
    def is_here(self) -> bool:
        """Whether it answers without a download."""
        return self.status in (LOADED, READY)


def as_json(result: Any) -> dict[str, Any]:
    """A result as plain JSON, without fields that do not apply: `window`, `text_pair`, `problem`, an empty `lost`."""
    return asdict(result, dict_factory=_applicable)


def _applicable(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    optional = ("window", "text_pair", "problem", "lost")
    return {key: value for key, value in fields if key not in optional or value not in (None, [])}
