"""Attention weights of a text or a pair: the public answer, and a bounded store of the arrays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from app.engine.base import Attentive
from app.engine.heads import ATTENTION
from app.engine.runtime.loader import engine
from app.engine.runtime.zero_gpu import uses_card
from app.engine.text.text_tokenizer import Encoded
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import find
from app.results.attention import AttentionResult
from app.results.text import Token
from app.settings import settings
from app.tasks.cache import TextCache
from app.tasks.checks import check_text, check_tokens, check_whole_number

# More could not be drawn or sent in reasonable time: 12 x 12 heads at 512 tokens are 38 million weights.
MOST_TOKENS = 512


@dataclass(frozen=True)
class Seen:
    """A text with all its weights, as one model computes them."""

    checkpoint: Checkpoint
    text: str
    second: str
    encoded: Encoded
    tokens: list[Token]
    segments: list[int]
    causal: bool
    weights: np.ndarray  # [layer, head, query, key]

    @property
    def special(self) -> list[bool]:
        """Which tokens the model added itself."""
        return [span is None for span in self.encoded.offsets]


@uses_card
def attention(text: str, second: str = "", model: str = "", layer: int = 0) -> AttentionResult:
    """Attention weights of one layer; see `/attention`.

    Args:
        text: first or only text.
        second: second text of a pair; empty for none.
        model: catalog name; empty for the default.
        layer: from 0.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    seen = see(text, second, model)
    layers, heads = seen.weights.shape[:2]
    layer = check_whole_number(layer, "layer", 0, layers - 1)
    # Eight decimals keep float32's precision for all but the tiniest weights, in half the bytes.
    weights = np.round(seen.weights[layer].astype(np.float64), 8).tolist()
    checkpoint = seen.checkpoint
    return AttentionResult(
        checkpoint.name, checkpoint.revision, seen.tokens, seen.segments, layers, heads, layer, weights
    )


def see(text: str, second: str, model: str) -> Seen:
    """The weights of all layers, from the store if they were computed lately."""
    check_text(text)
    check_text(second, "second", required=False)
    checkpoint = find(model, "attention", text, second)
    loaded = engine().get(checkpoint)
    adapter = loaded.head(ATTENTION)
    # The model may have been replaced since (other files, other settings), so its version is part of the key.
    key = (checkpoint.name, loaded.version, text, second.strip() and second)
    return store().get(key, lambda: _look(adapter, text, second.strip() and second))


def _look(adapter: Attentive, text: str, second: str) -> Seen:
    encoded = encode(adapter, text, second)
    return Seen(
        checkpoint=adapter.checkpoint,
        text=text,
        second=second,
        encoded=encoded,
        tokens=adapter.text.tokens(encoded),
        segments=_segments(encoded),
        causal=adapter.causal,
        weights=adapter.attentions(encoded),
    )


def encode(adapter: Attentive, text: str, second: str) -> Encoded:
    """The text or pair as the model reads it.

    Raises:
        PlaygroundError: `too_long`, more tokens than fit into the model's window or can be drawn; `empty_text`.
    """
    encoded = adapter.text.encode(text)
    if second and None in encoded.offsets:
        encoded = adapter.text.encode(text, second)
    elif second:
        encoded = _joined(adapter, text, second)
    if not encoded.input_ids:
        raise PlaygroundError("empty_text", field="text")
    check_tokens(len(encoded.input_ids), adapter.max_tokens)
    if len(encoded.input_ids) > MOST_TOKENS:
        raise PlaygroundError("too_long", "drawn", count=len(encoded.input_ids), limit=MOST_TOKENS)
    return encoded


def _joined(adapter: Attentive, text: str, second: str) -> Encoded:
    """A pair without separators (GPT-2): a space keeps the second text from merging with the first one's last word."""
    encoded = adapter.text.encode(text, " " + second)
    offsets = [
        span if span is None or sequence == 0 else (max(0, span[0] - 1), span[1] - 1)
        for span, sequence in zip(encoded.offsets, encoded.sequence_ids, strict=True)
    ]
    return replace(encoded, offsets=offsets)


def _segments(encoded: Encoded) -> list[int]:
    """0 up to the first separator and 1 after it, even if the model has no segments."""
    second = [index for index, sequence in enumerate(encoded.sequence_ids) if sequence == 1]
    return [int(bool(second) and index >= second[0]) for index in range(len(encoded.input_ids))]


@cache
def store() -> TextCache[Seen]:
    """The store of this process, with the latest texts."""
    return TextCache(settings().attention_mb * 1_000_000, lambda seen: seen.weights.nbytes)
