"""Statistics of attention weights: rollout, each head's roles, small pictures, bytes for the browser.

Arrays in, arrays out; weights are [layer, head, query, key] or a part of that, and rows sum to 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

ROLES = ("previous", "next", "itself", "first_or_separator", "same_word")
CLEAR = 0.5  # of a head's weight
THUMBNAIL = 24  # most cells per side


def rollout(weights: np.ndarray) -> np.ndarray:
    """How much of each input token reaches each position through all these layers, [query, key].

    Abnar and Zuidema 2020, arXiv 2005.00928: heads are averaged; half of each layer is the residual connection.
    """
    mixed = np.eye(weights.shape[-1], dtype=np.float64)
    for layer in weights:
        mixed = (0.5 * layer.mean(axis=0, dtype=np.float64) + 0.5 * np.eye(len(mixed))) @ mixed
    return mixed.astype(np.float32)


def measure_roles(weights: np.ndarray, token_ids: Sequence[int], special: Sequence[bool]) -> np.ndarray:
    """How much weight goes to each role's targets, [layer, head, role] in the order of `ROLES`.

    Each is the mean over the ordinary tokens that have such a target: the first token has no previous one, and a word
    that occurs once has no equal one.
    """
    targets = role_targets(token_ids, special)  # [role, query, key]
    possible = targets.any(axis=-1) & ~np.asarray(special)  # [role, query]
    on_targets = np.einsum("lhqk,rqk->lhrq", weights, targets.astype(weights.dtype), optimize=True)
    count = np.maximum(possible.sum(axis=-1), 1)
    return (on_targets * possible).sum(axis=-1) / count


def clearest_head(roles: np.ndarray) -> tuple[int, int, int] | None:
    """Layer, head and role of the head that gives most of its weight to one neighbour; None if none gives half.

    Args:
        roles: [layer, head, role] from `measure_roles`. Only neighbours count: it says little that a head rests on the
            first token or a separator, or that a token looks at itself, and few tokens have an equal word elsewhere.
    """
    neighbours = roles[..., :2]
    layer, head, role = np.unravel_index(neighbours.argmax(), neighbours.shape)
    return (int(layer), int(head), int(role)) if neighbours[layer, head, role] >= CLEAR else None


def resolving_head(
    weights: np.ndarray, queries: Sequence[int], words: Sequence[int]
) -> tuple[int, int, int, int] | None:
    """Layer, head, query and key of the largest weight from one of these tokens back to a word that is no neighbour.

    Clark et al. 2019, arXiv 1906.04341, describe heads of this kind for coreference. None if no head gives half.

    Args:
        weights: [layer, head, query, key].
        queries: places of pronouns.
        words: places of what a pronoun may stand for.
    """
    pairs = [(query, key) for query in queries for key in words if key < query - 1]
    if not pairs:
        return None
    there = weights[:, :, [query for query, _ in pairs], [key for _, key in pairs]]  # [layer, head, pair]
    layer, head, pair = np.unravel_index(there.argmax(), there.shape)
    return (int(layer), int(head), *pairs[pair]) if there[layer, head, pair] >= CLEAR else None


def role_targets(token_ids: Sequence[int], special: Sequence[bool]) -> np.ndarray:
    """Which keys count for each role, [role, query, key]."""
    size = len(token_ids)
    ids, marks = np.asarray(token_ids), np.asarray(special).copy()
    marks[:1] = True  # models without special tokens rest on the first token instead
    separators = np.tile(marks, (size, 1))
    separators[np.arange(size), np.arange(size)] = False
    same = (ids[:, None] == ids[None]) & ~np.eye(size, dtype=bool)
    previous, following, itself = (np.eye(size, k=offset, dtype=bool) for offset in (-1, 1, 0))
    return np.stack([previous, following, itself, separators, same])


def quantise_rows(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Weights [..., query, key] as bytes, and the value of 255 in each row, [..., query].

    A row is scaled by its largest weight, so the error is at most that weight / 510.
    """
    largest = weights.max(axis=-1)
    scale = np.divide(255.0, largest, out=np.zeros_like(largest), where=largest > 0)
    return np.rint(weights * scale[..., None]).astype(np.uint8), largest.astype(np.float32)


def thumbnails(weights: np.ndarray) -> np.ndarray:
    """Small pictures [layer, head, row, column] as bytes: each cell has the largest weight of its part.

    255 is the head's largest weight, or four times a uniform share if that is larger, so that even heads stay pale.
    """
    starts = np.unique(np.linspace(0, weights.shape[-1], THUMBNAIL, endpoint=False).astype(int))
    small = np.maximum.reduceat(np.maximum.reduceat(weights, starts, axis=-1), starts, axis=-2)
    full = np.maximum(small.max(axis=(-2, -1), keepdims=True), min(1.0, 4 / weights.shape[-1]))
    return np.rint(255 * small / full).astype(np.uint8)
