"""A checkpoint's learned position vectors beside the sinusoidal ones of the original Transformer."""

from __future__ import annotations

import numpy as np

from app.analysis.positions import sinusoids
from app.analysis.similarity import cosines
from app.engine.base import Attentive
from app.engine.runtime.loader import load_head
from app.registry.checkpoint import ATTENTION
from app.registry.lookup import find
from app.results.attention import Packed, PositionsResult
from app.tasks.attention.heads import pack_bytes


def compare_positions(model: str = "") -> PositionsResult:
    """How alike the vectors of any two positions are.

    Raises:
        PlaygroundError: `unknown_model`, `wrong_model` (ELMo has none), `missing_head`, `model_unavailable`.
    """
    checkpoint = find(model, "attention")
    adapter: Attentive = load_head(checkpoint, ATTENTION)
    learned = adapter.position_vectors()
    positions, dimensions = learned.shape
    return PositionsResult(
        checkpoint.name, positions, dimensions, _pack(cosines(learned)), _pack(cosines(sinusoids(*learned.shape)))
    )


def _pack(matrix: np.ndarray) -> Packed:
    """Cosines as bytes: 0 stands for -1, 255 for 1."""
    quantised = np.rint((matrix + 1) * 127.5).astype(np.uint8)
    return Packed(1, *matrix.shape, False, pack_bytes(quantised.tobytes()))
