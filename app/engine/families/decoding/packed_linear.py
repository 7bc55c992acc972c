"""A second copy of a decoder's weights in blocks, for passes of several texts or guessed tokens."""

from __future__ import annotations

from torch import Tensor

from app.engine.adapters.blocks import Blocks
from app.engine.families.decoding.decoder import Decoder
from app.engine.families.decoding.layers import MOST_TOKENS, Linear, change_layers

FEWEST_TOKENS = 2


class Blocked:
    """A linear layer whose second copy is made when several tokens first come at once.

    Args:
        layer: with float32 weights on the CPU.
    """

    def __init__(self, layer: Linear) -> None:
        self.layer = layer
        self._blocks: Blocks | None = None

    def __call__(self, states: Tensor) -> Tensor:
        """As the layer: [token, in] to [token, out]."""
        if not FEWEST_TOKENS <= len(states) <= MOST_TOKENS or states.device.type != "cpu":
            return self.layer(states)
        if self._blocks is None:
            self._blocks = Blocks(self.layer)
        return self._blocks(states)


def blocked(decoder: Decoder) -> Decoder:
    """A decoder that runs several tokens at once from the second copy."""
    return change_layers(decoder, Blocked)
