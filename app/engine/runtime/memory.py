"""What a loaded model takes in memory, and whether there is room for a second copy of one that writes texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.settings import FLOAT16, settings

if TYPE_CHECKING:
    from torch import nn

SMALL_COPY = 0.5  # of the float32 weights


def bytes_in_memory(model: nn.Module, writes: bool) -> int:
    """Bytes of a model's weights, with the second copy that a model which writes texts may get."""
    weights = _bytes(model)
    if not writes:
        return weights
    if settings().weights == FLOAT16:
        return int(weights * (1 + SMALL_COPY))
    return 2 * weights if fits_twice(model) else weights


def fits_twice(model: nn.Module) -> bool:
    """Whether a second copy of the weights may be made: on the CPU in float32, and both fit the host's budget."""
    weight = next(model.parameters())
    plain = weight.device.type == "cpu" and weight.element_size() == 4
    return plain and 2 * _bytes(model) <= settings().memory_mb * 1_000_000


def _bytes(model: nn.Module) -> int:
    return sum(weight.numel() * weight.element_size() for weight in model.parameters())
