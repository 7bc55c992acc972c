"""A checkpoint's learned position vectors beside the sinusoidal ones of the original Transformer."""

from __future__ import annotations

from app.analysis.positions import sinusoids
from app.analysis.similarity import cosines
from app.engine.heads import ATTENTION
from app.engine.runtime.loader import load_head
from app.registry.lookup import find
from app.results.attention import PositionsResult


def compare_positions(model: str = "") -> PositionsResult:
    """The similarity of the vectors of any two positions.

    Raises:
        PlaygroundError: `unknown_model`, `wrong_model` (ELMo has none), `missing_head`, `model_unavailable`.
    """
    checkpoint = find(model, "attention")
    adapter = load_head(checkpoint, ATTENTION)
    learned = adapter.position_vectors()
    positions, dimensions = learned.shape
    fixed = cosines(sinusoids(positions, dimensions))
    return PositionsResult(checkpoint.name, positions, dimensions, cosines(learned), fixed)
