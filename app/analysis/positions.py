"""Position vectors: how alike any two are, and the sinusoidal ones. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np


def cosines(vectors: np.ndarray) -> np.ndarray:
    """Cosine of every two rows [row, row]; a row of zeros is like nothing."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return np.clip(unit @ unit.T, -1.0, 1.0)


def sinusoids(positions: int, dimensions: int) -> np.ndarray:
    """The fixed vectors of the original Transformer [position, dimension] (Vaswani et al. 2017, section 3.5)."""
    rates = 10_000.0 ** (-2 * (np.arange(dimensions) // 2) / dimensions)  # [dimension]
    angles = np.arange(positions)[:, None] * rates
    return np.where(np.arange(dimensions) % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)
