"""Smaller weights for writing: half of float32's width, so that a pass reads half as many bytes.

Writing a token is reading every weight once; its arithmetic waits for the memory. Here each linear layer has a second
copy in 16 bits (float16, Micikevicius et al. 2018, arXiv 1710.03740), laid out by FBGEMM, which comes with torch: it
widens a block in the cache and computes with float32 states. `tests/benchmarks/bench_half.py` measures what the
rounding changes; whole numbers of 8 bits, even with a scale for every 32, change thirty times as much and were quicker
on one core only. Prompts are read with the float32 weights.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import torch
from torch import Tensor

from app.engine.families.decoding.decoder import Decoder, Layer
from app.engine.families.decoding.layers import MOST_TOKENS, Linear, agree, change_layers, linear_layers

LARGEST = torch.finfo(torch.float16).max
TRIALS = 5


class Half:
    """A linear layer with weights of half the width.

    Args:
        layer: with float32 weights on the CPU.
    """

    def __init__(self, layer: Linear) -> None:
        self.layer = layer
        bias = None if layer.bias is None else layer.bias.detach()
        self._small = torch.ops.quantized.linear_prepack_fp16(layer.weight.detach().contiguous(), bias)

    def __call__(self, states: Tensor) -> Tensor:
        """As the layer: [token, in] to [token, out]."""
        if states.shape[0] > MOST_TOKENS:
            return self.layer(states)
        return torch.ops.quantized.linear_dynamic_fp16.default(states, self._small)


def halved(decoder: Decoder) -> Decoder:
    """A decoder that writes with smaller weights; the same one where they do not fit the model or are not quicker."""
    layers = linear_layers(decoder)
    if "fbgemm" not in torch.backends.quantized.supported_engines or not all(map(_fits, layers)):
        return decoder
    small, head = halved_always(decoder), layers[-1]
    return small if _is_right(small.head, head) and _seconds(small.head, head) < _seconds(head, head) else decoder


def halved_always(decoder: Decoder) -> Decoder:
    """A decoder that writes with smaller weights, quicker or not."""
    return change_layers(decoder, Half)


def _fits(layer: Linear) -> bool:
    weight = layer.weight.detach()
    return weight.device.type == "cpu" and weight.dtype == torch.float32 and float(weight.abs().max()) < LARGEST


@torch.inference_mode()
def _is_right(small: Layer, layer: Linear) -> bool:
    """Whether the kernel of this processor multiplies as the layer does, but for the rounding of its weights."""
    states = torch.randn(2, layer.weight.shape[1], generator=torch.Generator().manual_seed(0))
    return agree(small(states), layer(states), share=1e-2)


@torch.inference_mode()
def _seconds(run: Callable[[Tensor], Tensor], layer: Linear) -> float:
    """The quickest of a few runs with one token; the first does not count."""
    states, took = torch.ones(1, layer.weight.shape[1]), []
    for _ in range(1 + TRIALS):
        began = time.perf_counter()
        run(states)
        took.append(time.perf_counter() - began)
    return min(took[1:])
