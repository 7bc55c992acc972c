"""The sinusoidal position vectors. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np


def sinusoids(positions: int, dimensions: int) -> np.ndarray:
    """The fixed vectors of the original Transformer [position, dimension] (Vaswani et al. 2017, section 3.5)."""
    rates = 10_000.0 ** (-2 * (np.arange(dimensions) // 2) / dimensions)  # [dimension]
    angles = np.arange(positions)[:, None] * rates
    return np.where(np.arange(dimensions) % 2 == 0, np.sin(angles), np.cos(angles)).astype(np.float32)
