"""From scores to probabilities."""

from __future__ import annotations

import numpy as np

from app.late_imports import importing


def softmax(scores: np.ndarray) -> np.ndarray:
    """Probabilities along the last axis, in float64."""
    with importing():
        from scipy.special import softmax as exact

    return exact(np.asarray(scores, dtype=np.float64), axis=-1)
