"""Vectors of words in sentences, at every layer of any model: the mean over the pieces of a word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.engine.base import TokenEncoder
from app.errors import PlaygroundError
from app.tasks.checks import check_tokens

Span = tuple[int, int]


def word_vectors(
    encoder: TokenEncoder, texts: Sequence[str], spans: Sequence[Sequence[Span]], layers: Sequence[int]
) -> list[np.ndarray]:
    """The vectors of each text's spans, [layer, span, hidden]; NaN if a span has no piece.

    Args:
        encoder: the model.
        texts: sentences.
        spans: for each of them, the character range of each word; may be empty.
        layers: layer numbers; 0 is the input of the first one.

    Raises:
        PlaygroundError: `too_long`, a text does not fit into the model's window.
    """
    rows = [encoder.encode(text) for text in texts]
    for row in rows:
        check_tokens(len(row.offsets), encoder.max_tokens)
    found: list[np.ndarray] = [np.zeros((len(layers), 0, 0))] * len(rows)
    for index, states in encoder.hidden_states(rows, layers):
        found[index] = average_pieces(states, rows[index].offsets, spans[index])
    return found


def average_pieces(states: np.ndarray, offsets: Sequence[Span | None], spans: Sequence[Span]) -> np.ndarray:
    """From tokens [layer, token, hidden] to words [layer, span, hidden]: the mean over the tokens in each span."""
    made = np.full((states.shape[0], len(spans), states.shape[2]), np.nan, dtype=np.float32)
    for number, (start, end) in enumerate(spans):
        pieces = [at for at, place in enumerate(offsets) if place is not None and place[0] < end and start < place[1]]
        if pieces:
            made[:, number] = states[:, pieces].mean(axis=1)
    return made


def check_readable(vectors: np.ndarray, words: Sequence[str], model: str) -> None:
    """Refuse words of which a model reads nothing; `vectors` is [layer, word, hidden].

    Raises:
        PlaygroundError: `word_not_found`, naming the first.
    """
    unread = np.isnan(vectors).any(axis=(0, 2)) if vectors.size else np.ones(len(words), dtype=bool)
    if unread.any():
        raise PlaygroundError("word_not_found", "no_pieces", model=model, word=words[int(unread.argmax())])
