"""How similar vectors are, and whether similar ones have the same label. Arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.analysis.probabilities import softmax
from app.results.word_sense import Senses

# Cosines closer than this count as equal; smaller differences are rounding.
TIE = 1e-6


def cosines(vectors: np.ndarray, others: np.ndarray | None = None) -> np.ndarray:
    """Cosine of every row with every other row, or with every row of `others`: [row, row].

    A row of zeros is similar to nothing: its cosines are 0.
    """
    unit = unit_rows(vectors)
    return np.clip(unit @ (unit if others is None else unit_rows(others)).T, -1.0, 1.0)


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Rows scaled to length 1; a row of zeros stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)


def separation(similarity: np.ndarray, labels: Sequence[str | None]) -> Senses | None:
    """How cosines relate to labels.

    Rows without a label are left out. Every pair of rows counts once.

    Args:
        similarity: cosines [row, row].
        labels: one per row, None for a row without.

    Returns:
        None unless at least two different labels are given.
    """
    kept = [row for row, label in enumerate(labels) if label is not None]
    if len({labels[row] for row in kept}) < 2:
        return None
    names, codes = np.unique([labels[row] for row in kept], return_inverse=True)
    similarity = np.asarray(similarity, dtype=np.float64)[np.ix_(kept, kept)]
    alike = codes[:, None] == codes[None]
    pairs = np.triu(np.ones_like(alike), k=1).astype(bool)
    same = float(similarity[pairs & alike].mean()) if (pairs & alike).any() else None
    different = float(similarity[pairs & ~alike].mean())
    return Senses(
        same,
        different,
        None if same is None else same - different,
        leave_one_out(similarity, codes),
        float(np.bincount(codes, minlength=len(names)).max() / len(codes)),
    )


def leave_one_out(similarity: np.ndarray, codes: np.ndarray) -> float:
    """Accuracy of giving each row the label of its nearest other row, [row, row] and [row].

    Several equally near rows share the vote, so the order of the rows does not matter, and vectors that are all equal
    get the accuracy of guessing.
    """
    others = np.where(np.eye(len(codes), dtype=bool), -np.inf, similarity)
    return one_nearest(others, codes, codes)


def one_nearest(similarity: np.ndarray, known: np.ndarray, truth: np.ndarray) -> float:
    """Accuracy of giving each row the label of its nearest column; equally near ones share.

    Args:
        similarity: cosines [row, column].
        known: labels of the columns.
        truth: labels of the rows.
    """
    nearest = similarity >= similarity.max(axis=1, keepdims=True) - TIE
    right = nearest & (known[None] == truth[:, None])
    return float((right.sum(axis=1) / nearest.sum(axis=1)).mean())


def mix(layers: np.ndarray, weights: Sequence[float]) -> np.ndarray:
    """ELMo's scalar mix without its factor gamma: sum of softmax(weights)[k] * layers[k] (Peters et al. 2018, eq. 1).

    Args:
        layers: [layer, row, feature].
        weights: one per layer, before softmax; all equal give the plain mean.
    """
    return np.tensordot(mix_shares(weights).astype(layers.dtype), layers, axes=1)


def mix_shares(weights: Sequence[float]) -> np.ndarray:
    """Each layer's share of the mix: the softmax of the weights."""
    return softmax(np.asarray(weights))
