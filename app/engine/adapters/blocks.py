"""Weights in oneDNN's block layout: the same float32 numbers, multiplied with some tokens in less time.

Multiplying one token by the weights is reading them, in any layout. With two to sixteen tokens the plain layout costs
two to three times as much; in blocks eight tokens cost 1.4 to 1.6 times one (GPT-2 size, one thread). With hundreds of
tokens little is gained, on some processors perhaps nothing: `most_rows` measures it.

oneDNN compiles a kernel of its own for each number of tokens and each shape of weights: 0.3 MB and one to four
milliseconds, kept for the last 1,024 of them. With every number of tokens that visitors' texts have, a process grew by
1.5 GB and compiled again and again. Few numbers are used here: tokens go in portions, padded to the next of `PORTIONS`.
"""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable
from functools import cache

import torch
import torch.nn.functional as F
from torch import Tensor

from app.engine.families.decoding.layers import Linear, agree

LAID_OUT_FOR = 8  # tokens: the library chooses its blocks for a number of them
TRIED_ROWS = (8, 32, 128)
TRIALS = 3
ANY = 10**9
# Padding costs little where few tokens are: reading the weights takes longer than multiplying them.
STEPS = ((1, 8, 1), (8, 16, 2), (16, 32, 4), (32, 64, 8), (64, 128, 16), (128, 257, 32))
PORTIONS = tuple(size for step in STEPS for size in range(*step))


class Blocks:
    """A linear layer with a second copy of its weights, in blocks. It passes no gradients.

    Args:
        layer: with float32 weights on the CPU.
    """

    def __init__(self, layer: Linear) -> None:
        weight = layer.weight.detach().contiguous()
        self._blocks = torch.ops.mkldnn._reorder_linear_weight(weight, LAID_OUT_FOR)
        self._bias = None if layer.bias is None else layer.bias.detach()

    def __call__(self, states: Tensor) -> Tensor:
        """As the layer: [..., in] to [..., out]."""
        portions = [self._multiply(rows) for rows in states.flatten(0, -2).split(PORTIONS[-1])]
        made = portions[0] if len(portions) == 1 else torch.cat(portions)
        return made.unflatten(0, states.shape[:-1])

    def _multiply(self, rows: Tensor) -> Tensor:
        """[row, in] to [row, out], of a number of rows that has a kernel."""
        size = PORTIONS[bisect_left(PORTIONS, len(rows))]
        padded = rows if len(rows) == size else F.pad(rows, (0, 0, 0, size - len(rows)))
        return torch.ops.mkldnn._linear_pointwise(padded, self._blocks, self._bias, "none", [], "")[: len(rows)]


@cache
def has_blocks() -> bool:
    """Whether this machine's torch has the layout and multiplies right with it: kernels differ between processors."""
    if not torch.backends.mkldnn.is_available() or not hasattr(torch.ops.mkldnn, "_linear_pointwise"):
        return False
    generator = torch.Generator().manual_seed(0)
    layer = Linear(torch.randn(96, 64, generator=generator), torch.randn(96, generator=generator))
    states = torch.randn(LAID_OUT_FOR, 64, generator=generator)
    try:
        return agree(Blocks(layer)(states), layer(states))
    except RuntimeError:
        return False


@cache
@torch.inference_mode()
def most_rows(inputs: int, outputs: int) -> int:
    """Up to how many tokens a layer of this size is quicker in blocks on this processor; 0 where it never is."""
    layer = Linear(torch.full((outputs, inputs), 0.01), None)
    blocks, most = Blocks(layer), 0
    for rows in TRIED_ROWS:
        states = torch.ones(rows, inputs)
        tried = [(_seconds(blocks, states), _seconds(layer, states)) for _ in range(1 + TRIALS)][1:]
        in_blocks, plain = map(min, zip(*tried, strict=True))
        if in_blocks >= plain:
            return most
        most = rows
    return ANY


def _seconds(run: Callable[[Tensor], Tensor], states: Tensor) -> float:
    """Of this thread alone: the others of a busy server would decide otherwise."""
    began = time.thread_time()
    run(states)
    return time.thread_time() - began
