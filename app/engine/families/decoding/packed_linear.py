"""A second copy of a decoder's weights in oneDNN's block layout, for passes of several texts or guessed tokens.

Multiplying one token by the weights is reading them, in any layout. With two to sixteen tokens the plain layout costs
two to three times as much; in blocks eight tokens cost 1.4 to 1.6 times one (GPT-2 size, one thread). Still float32.
"""

from __future__ import annotations

from functools import cache

import torch
from torch import Tensor

from app.engine.families.decoding.decoder import Decoder
from app.engine.families.decoding.layers import MOST_TOKENS, Linear, agree, change_layers

FEWEST_TOKENS = 2
LAID_OUT_FOR = 8  # tokens: the library chooses its blocks for a number of them


class Blocked:
    """A linear layer whose second copy is made when several tokens first come at once.

    Args:
        layer: with float32 weights on the CPU.
    """

    def __init__(self, layer: Linear) -> None:
        self.layer = layer
        self._blocks: Tensor | None = None

    def __call__(self, states: Tensor) -> Tensor:
        """As the layer: [token, in] to [token, out]."""
        if not FEWEST_TOKENS <= len(states) <= MOST_TOKENS or states.device.type != "cpu":
            return self.layer(states)
        if self._blocks is None:
            self._blocks = torch.ops.mkldnn._reorder_linear_weight(self.layer.weight.contiguous(), LAID_OUT_FOR)
        return torch.ops.mkldnn._linear_pointwise(states, self._blocks, self.layer.bias, "none", [], "")


@cache
def has_blocks() -> bool:
    """Whether this machine's torch has the layout and multiplies right with it: kernels differ between processors."""
    if not torch.backends.mkldnn.is_available() or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return False
    generator = torch.Generator().manual_seed(0)
    layer = Linear(torch.randn(96, 64, generator=generator), torch.randn(96, generator=generator))
    states = torch.randn(LAID_OUT_FOR, 64, generator=generator)
    try:
        return agree(Blocked(layer)(states), layer(states))
    except RuntimeError:
        return False


def blocked(decoder: Decoder) -> Decoder:
    """A decoder that runs several tokens at once from the second copy."""
    return change_layers(decoder, Blocked)
