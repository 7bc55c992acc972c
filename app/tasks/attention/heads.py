"""The parts of a text's attention that a page requests one by one: a layer, all heads, rollout, exact numbers.

Weights travel as bytes; all displayed numbers come from the exact arrays.
"""

from __future__ import annotations

import base64
import zlib
from typing import NamedTuple

import numpy as np

from app.analysis.attention import (
    ROLES,
    clearest_head,
    measure_roles,
    quantise_rows,
    resolving_head,
    rollout,
    thumbnails,
)
from app.analysis.probabilities import softmax
from app.engine.heads import ATTENTION
from app.engine.runtime.loader import load_head
from app.errors import PlaygroundError
from app.results.attention import AttentionOpening, HeadSteps, Packed
from app.tasks.attention.attend import Seen, encode, see
from app.tasks.checks import check_whole_number

# Above this size, stronger compression takes more time than the saved bytes are worth.
FAST_ABOVE = 500_000
# Of English only: a Chinese token is a character, which says little as what a pronoun stands for.
PRONOUNS = frozenset(["he", "she", "it", "they", "him", "her", "them", "his", "its", "their"])
MOST_SENT = 3_900_000  # characters of one layer


class _Found(NamedTuple):
    """A head to begin with, and what it does; `query` and `key` of one that looks from a pronoun to a word."""

    layer: int = 0
    head: int = 0
    role: str = ""
    share: float = 0.0
    query: int | None = None
    key: int | None = None


def open_attention(text: str, second: str = "", model: str = "", layer: int | None = None) -> AttentionOpening:
    """Tokens and what to draw first: the given layer, or a head that follows a pronoun, or one with a clear role."""
    seen = see(text, second, model)
    layers, heads = seen.weights.shape[:2]
    found = _clearest(seen) if layer is None else _Found()
    layer = found.layer if layer is None else min(check_whole_number(layer, "layer", 0, 1_000), layers - 1)
    return AttentionOpening(
        model=seen.checkpoint.name,
        text=seen.text,
        second=seen.second,
        tokens=[token.token for token in seen.tokens],
        segments=seen.segments,
        special=seen.special,
        layers=layers,
        heads=heads,
        causal=seen.causal,
        layer=layer,
        weights=pack_rows(seen.weights[layer]),
        head=found.head,
        role=found.role,
        share=found.share,
        query=found.query,
        key=found.key,
    )


def _clearest(seen: Seen) -> _Found:
    names = [token.token.strip().lower() for token in seen.tokens]
    pronouns = [at for at, name in enumerate(names) if name in PRONOUNS]
    words = [at for at, name in enumerate(names) if name.isalpha() and not seen.special[at] and at not in pronouns]
    if followed := resolving_head(seen.weights, pronouns, words):
        layer, head, query, key = followed
        return _Found(layer, head, "pronoun", round(float(seen.weights[followed]), 4), query, key)
    roles = measure_roles(seen.weights, seen.encoded.input_ids, seen.special)
    if clear := clearest_head(roles):
        layer, head, role = clear
        return _Found(layer, head, ROLES[role], round(float(roles[clear]), 4))
    return _Found()


def roles_of(text: str, second: str, model: str) -> list[list[list[float]]]:
    """How strongly each head plays each role, [layer][head][role]."""
    seen = see(text, second, model)
    return np.round(measure_roles(seen.weights, seen.encoded.input_ids, seen.special).astype(float), 4).tolist()


def one_layer(text: str, second: str, model: str, layer: object) -> Packed:
    """All heads of one layer."""
    seen = see(text, second, model)
    return pack_rows(seen.weights[check_whole_number(layer, "layer", 0, len(seen.weights) - 1)])


def all_heads(text: str, second: str, model: str) -> Packed:
    """A small picture of every head."""
    seen = see(text, second, model)
    small = thumbnails(seen.weights)
    return Packed(small.shape[0] * small.shape[1], small.shape[2], small.shape[3], False, pack_bytes(small.tobytes()))


def rolled_out(text: str, second: str, model: str, layer: object) -> Packed:
    """Attention rollout through the layers up to this one."""
    return pack_rows(_rollout(see(text, second, model), layer)[None])


def exact_weights(text: str, second: str, model: str, layer: object, heads: list[int] | None) -> np.ndarray:
    """The exact weights [query, key]: the mean of some heads, or the rollout if `heads` is None."""
    seen = see(text, second, model)
    if heads is None:
        return _rollout(seen, layer)
    at = check_whole_number(layer, "layer", 0, len(seen.weights) - 1)
    count = seen.weights.shape[1]
    if not isinstance(heads, list) or not 1 <= len(heads) <= count:
        raise PlaygroundError("bad_value", "list", field="heads", limit=count)
    return seen.weights[at, [check_whole_number(head, "heads", 0, count - 1) for head in heads]].mean(axis=0)


def exact_row(text: str, second: str, model: str, layer: object, heads: list[int] | None, query: object) -> np.ndarray:
    """One query token's row [key] of `exact_weights`."""
    weights = exact_weights(text, second, model, layer, heads)
    return weights[check_whole_number(query, "query", 0, len(weights) - 1)]


def _rollout(seen: Seen, layer: object) -> np.ndarray:
    top = check_whole_number(layer, "layer", 0, len(seen.weights) - 1)
    return rollout(seen.weights[: top + 1])


def head_steps(text: str, second: str, model: str, layer: int, head: int, query: int) -> HeadSteps:
    """One head's arithmetic for one query token, with every number."""
    seen = see(text, second, model)
    layer = check_whole_number(layer, "layer", 0, len(seen.weights) - 1)
    head = check_whole_number(head, "head", 0, seen.weights.shape[1] - 1)
    query = check_whole_number(query, "query", 0, len(seen.tokens) - 1)
    adapter = load_head(seen.checkpoint, ATTENTION)
    vectors = adapter.head_vectors(encode(adapter, seen.text, seen.second), layer, head)
    products = vectors.keys @ vectors.queries[query]  # [key]
    scaled = products / np.sqrt(vectors.queries.shape[1])
    if seen.causal:
        scaled[query + 1 :] = -np.inf
    weights = softmax(scaled).astype(scaled.dtype)
    return HeadSteps(
        model=seen.checkpoint.name,
        layer=layer,
        head=head,
        tokens=[token.token for token in seen.tokens],
        query_index=query,
        size=vectors.queries.shape[1],
        causal=seen.causal,
        query=vectors.queries[query].tolist(),
        keys=vectors.keys.tolist(),
        values=vectors.values.tolist(),
        products=products.tolist(),
        scaled=scaled.tolist(),
        weights=weights.tolist(),
        output=(weights @ vectors.values).tolist(),
    )


def pack_rows(weights: np.ndarray) -> Packed:
    """Weights [matrix, row, column], each row scaled by its largest value."""
    quantised, scales = quantise_rows(weights)
    head = scales.astype("<f4").tobytes()
    data = pack_bytes(head + quantised.tobytes())
    if len(data) > MOST_SENT:  # noise at full length: seven bits, within 1.5 / 255 of a row's largest
        data = pack_bytes(head + (quantised & 0xFE).tobytes())
    matrices, rows, columns = weights.shape
    return Packed(matrices, rows, columns, True, data)


def pack_bytes(content: bytes) -> str:
    """Zlib, then base64, because JSON has no bytes."""
    return base64.b64encode(zlib.compress(content, 1 if len(content) > FAST_ABOVE else 6)).decode("ascii")
