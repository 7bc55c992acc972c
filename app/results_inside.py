"""Results of looking inside a model: tokens laid over a text, masks drawn for training, attention, layer predictions.

Frozen, plain data like `app/results.py`, which it extends.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Piece:
    """One entry of a vocabulary that a text was cut into."""

    shown: str  # as a person reads it
    raw: str  # as the tokenizer writes it
    token_id: int | None
    unknown: bool


@dataclass(frozen=True)
class PieceGroup:
    """The pieces over one stretch of whole characters: mostly one piece, several for the bytes of an emoji."""

    start: int  # offsets into the text
    end: int
    pieces: list[Piece]


@dataclass(frozen=True)
class TokenizerRow:
    """How one tokenizer cuts the text."""

    model: str
    kind: str  # "wordpiece", "byte_bpe", "sentencepiece" or "bytes"
    vocabulary_size: int
    groups: list[PieceGroup]
    pieces: int
    unknown: int
    added: list[str]  # special tokens that the model puts around the text
    changes: list[tuple[str, str]]  # words as written and as the model reads them, where the two differ


@dataclass(frozen=True)
class Alignment:
    """Several tokenizers over the same text."""

    text: str
    blocks: list[tuple[int, int]]  # stretches at whose ends no tokenizer has a piece hanging over
    rows: list[TokenizerRow]


@dataclass(frozen=True)
class MaskDraw:
    """One draw of BERT's corruption; all lists run over the tokens."""

    actions: list[str]  # "", "mask", "random" or "kept"
    shown: list[str]  # what the model would read


@dataclass(frozen=True)
class MaskingResult:
    """The draws of every epoch, static and dynamic."""

    model: str
    tokens: list[str]
    special: list[bool]
    static: list[MaskDraw]  # one per epoch
    dynamic: list[MaskDraw]
    copies: int  # fixed copies that static masking goes round
