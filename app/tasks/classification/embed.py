"""Vectors of whole texts: pooled hidden states of one layer. Knows texts and vectors, no model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from app.engine.base import TokenEncoder, TokensOfText
from app.engine.heads import TOKEN_VECTORS
from app.engine.runtime.loader import load_head
from app.engine.runtime.zero_gpu import uses_card
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.classification import EmbedResult
from app.tasks.checks import check_text, check_texts, check_tokens, check_whole_number
from app.tasks.unknown import unknown_to

# From the vectors of a text's tokens [token, hidden], including those the model adds, to one [hidden].
POOLINGS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda tokens: tokens.mean(axis=0),
    "max": lambda tokens: tokens.max(axis=0),
    "cls": lambda tokens: tokens[0],
}


@uses_card
def embed(texts: list[str], model: str = "", layer: int = -1, pooling: str = "mean") -> EmbedResult:
    """Turn each text into one vector; see `/embed`.

    Args:
        texts: the texts.
        model: catalog name; empty for the default.
        layer: 0 for the embeddings, up to the top layer; -1 is the top one, -2 the one below it, and so on.
        pooling: `mean` or `max` over all tokens (including those that the model adds, as in sentence-transformers), or
            `cls`, the first token of an encoder.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    given = [check_text(text, f"text {number}") for number, text in enumerate(check_texts(texts), start=1)]
    encoder = load_head(find(model, "embed", given), TOKEN_VECTORS)
    layer = check_layer(layer, encoder)
    choices = [name for name in POOLINGS if name != "cls" or encoder.first_token_sums_up]
    if pooling not in choices:
        raise PlaygroundError("bad_value", "choice", field="pooling", choices=", ".join(choices))
    vectors: list[list[float]] = [[]] * len(given)
    rows = [encoder.encode(text) for text in given]
    for index, vector in pooled_vectors(encoder, rows, layer, pooling):
        vectors[index] = vector.tolist()
    unknown = unknown_to(encoder, rows, given)
    return EmbedResult(encoder.checkpoint.name, encoder.checkpoint.revision, layer, vectors, unknown)


def check_layer(layer: object, encoder: TokenEncoder) -> int:
    """The layer counted from 0, the embeddings; negative numbers count from the top.

    Raises:
        PlaygroundError: `bad_value`, with the range.
    """
    number = check_whole_number(layer, "layer", -encoder.layers - 1, encoder.layers)
    return number if number >= 0 else encoder.layers + 1 + number


def pooled_vectors(
    encoder: TokenEncoder, rows: Sequence[TokensOfText], layer: int, pooling: str = "mean"
) -> Iterator[tuple[int, np.ndarray]]:
    """As batches finish: the index of an encoded text or pair, and its vector [hidden].

    Raises:
        PlaygroundError: `empty_text`, the model can read nothing of a text; `too_long`, one does not fit.
    """
    for number, row in enumerate(rows, start=1):
        check_tokens(len(row.offsets), encoder.max_tokens)
        if all(span is None for span in row.offsets):
            raise PlaygroundError("empty_text", field=f"text {number}")
    for index, vectors in encoder.hidden_states(rows, [layer]):
        yield index, POOLINGS[pooling](vectors[0])
