"""Results of looking inside a model: tokens over a text, masks drawn for training, attention, layer predictions.

Frozen, plain data like `app/results/text.py`, which it extends.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.results.text import LostText, Token


@dataclass(frozen=True)
class Piece:
    """One vocabulary entry in a tokenised text."""

    shown: str  # as people read it
    raw: str  # as the tokenizer writes it
    token_id: int | None
    unknown: bool


@dataclass(frozen=True)
class PieceGroup:
    """The pieces over one stretch of whole characters: usually one, several for the bytes of an emoji."""

    start: int  # offsets into the text
    end: int
    pieces: list[Piece]


@dataclass(frozen=True)
class TokenizerRow:
    """How one tokenizer splits the text."""

    model: str
    kind: str  # a key of `kind.` in assets/tabs/tokenization.json
    vocabulary_size: int
    groups: list[PieceGroup]
    pieces: int
    unknown: int
    added: list[str]  # special tokens that the model adds around the text
    changes: list[tuple[str, str]]  # words as written and as the model reads them, if the two differ
    lost: list[LostText] = field(default_factory=list)


@dataclass(frozen=True)
class Alignment:
    """Several tokenizers over the same text."""

    text: str
    blocks: list[tuple[int, int]]  # stretches whose ends no tokenizer's piece crosses
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
    copies: int  # number of fixed copies that static masking cycles through


@dataclass(frozen=True)
class AttentionResult:
    """Answer of `/attention`."""

    model: str
    revision: str
    tokens: list[Token]
    segments: list[int]  # 0 first text, 1 second
    layers: int
    heads: int
    layer: int
    weights: list[list[list[float]]]  # [head][query][key]


@dataclass(frozen=True)
class Packed:
    """An array for the browser: base64 of zlib of float32 scales, one per row, and uint8 weights."""

    matrices: int  # heads, or layers times heads
    rows: int
    columns: int
    scales: bool  # without them, 255 stands for 1 in every row
    data: str


@dataclass(frozen=True)
class AttentionOpening:
    """What the browser gets first for a text."""

    model: str
    text: str
    second: str
    tokens: list[str]
    segments: list[int]
    special: list[bool]
    layers: int
    heads: int
    causal: bool
    layer: int
    weights: Packed
    head: int = 0  # the head of the layer to draw first
    # That head's role, one of `analysis.attention.ROLES`, or "pronoun"; empty if no head has a clear one.
    role: str = ""
    share: float = 0.0  # share of the head's weight for that role
    query: int | None = None  # the pronoun, of the last role
    key: int | None = None  # what the head looks at from there


@dataclass(frozen=True)
class HeadSteps:
    """One head's arithmetic for one query token; vectors have the head's size."""

    model: str
    layer: int
    head: int
    tokens: list[str]
    query_index: int
    size: int
    causal: bool
    query: list[float]
    keys: list[list[float]]  # [key][dimension]
    values: list[list[float]]
    products: list[float]  # q . k
    scaled: list[float]  # divided by the root of the size; minus infinity after a causal query
    weights: list[float]
    output: list[float]  # the weighted sum of the values


@dataclass(frozen=True)
class PieceProbability:
    token: str
    probability: float


@dataclass(frozen=True)
class LayerAnswer:
    """The most probable pieces at each position, predicted from one layer."""

    layer: int  # 0 = embeddings
    masks: list[list[PieceProbability]]


@dataclass(frozen=True)
class Followed:
    """The last layer's favourites for one position, followed through all layers."""

    token_index: int
    candidates: list[str]
    probabilities: list[list[float]]  # [layer][candidate]


@dataclass(frozen=True)
class LayerPredictionsResult:
    """Answer of `/layer_predictions`."""

    model: str
    revision: str
    tokens: list[Token]
    layers: list[LayerAnswer]
    followed: list[Followed]


@dataclass(frozen=True)
class PositionsResult:
    """Similarity of the vectors of any two positions, learned and sinusoidal."""

    model: str
    positions: int
    dimensions: int
    learned: np.ndarray  # cosines [position, position]
    sinusoidal: np.ndarray


@dataclass(frozen=True)
class BertvizReach:
    """Whether one of bertviz's views can show a text."""

    view: str  # "head" or "model"
    installed: bool
    tokens: int
    most_tokens: int  # for this model
    page_bytes: int  # size of the page for this text; if it is too long, only of the scripts


@dataclass(frozen=True)
class BertvizPage:
    """The parts of one of bertviz's views."""

    view: str
    model: str
    scripts: list[str]
    tokens: list[str]
    second_start: int | None  # where the second text begins
    parts: int  # a weight of 1 is this number in `weights`
    weights: list[list[list[list[int]]]]  # [layer][head][query][key]
