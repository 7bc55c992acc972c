"""Smaller copies of a decoder's weights: writing one token reads every weight once, so fewer bytes are fewer seconds.

Only weights are rounded; inputs and sums stay float32. In groups of 32 inputs, each with a scale of its own, weights
are whole numbers of 8 bits, and of 16 bits in the layer that leads back from the feed-forward part's wide middle: of
all kinds its rounding changes the distributions most (`tests/benchmarks/bench_packed.py` measures both). The kernels
are compiled by numba when the first model is packed; prompts are read with the float32 weights.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numba
import numpy as np
import torch
from torch import Tensor

from app.engine.families.decoding.decoder import Decoder
from app.engine.families.decoding.parts import Linear, change_layers, linear_layers

GROUP = 32  # inputs that share a scale
WIDE = 64  # outputs worked on at once: their weights for one input lie behind each other, as vector units like it
# More tokens than this in one pass are a prompt: there arithmetic counts, not reading, and float32 is as quick.
MOST_TOKENS = 16
TRIALS = 5


class Packed:
    """A linear layer with packed weights.

    Args:
        layer: with float32 weights on the CPU, a multiple of 32 inputs.
        kind: int8 or int16.
    """

    def __init__(self, layer: Linear, kind: type[np.signedinteger]) -> None:
        self.layer = layer
        weight = layer.weight.detach().numpy()
        self.outputs, inputs = weight.shape
        blocks = -(-self.outputs // WIDE)
        self.whole = np.zeros((blocks, inputs, WIDE), kind)
        self.scales = np.zeros((blocks, inputs // GROUP, WIDE), np.float32)
        for block in range(blocks):  # one by one: no second copy of a large layer
            part = weight[block * WIDE : (block + 1) * WIDE].reshape(-1, inputs // GROUP, GROUP)
            scale = np.maximum(np.abs(part).max(-1) / np.iinfo(kind).max, np.finfo(np.float32).tiny)
            rounded = np.rint(part / scale[..., None]).reshape(len(part), inputs)
            self.whole[block, :, : len(part)], self.scales[block, :, : len(part)] = rounded.T, scale.T

    @property
    def bytes(self) -> int:
        """Memory beside the float32 weights."""
        return self.whole.nbytes + self.scales.nbytes

    def __call__(self, states: Tensor) -> Tensor:
        """As the layer: [token, in] to [token, out]."""
        if len(states) > MOST_TOKENS:
            return self.layer(states)
        out = np.empty((len(states), len(self.whole) * WIDE), np.float32)
        given = states.contiguous().numpy()
        (_one if len(states) == 1 else _several)(given, self.whole, self.scales, out)
        made = torch.from_numpy(out)[:, : self.outputs]
        return made if self.layer.bias is None else made + self.layer.bias


def packed(decoder: Decoder) -> Decoder:
    """A decoder that writes with packed weights; the same one where they do not fit the model or are not quicker."""
    layers = linear_layers(decoder)
    if not all(_can_be_packed(layer.weight) for _, layer in layers):
        return decoder
    _, head = layers[-1]
    return packed_always(decoder) if _seconds(Packed(head, np.int8), head) < _seconds(head, head) else decoder


def packed_always(decoder: Decoder) -> Decoder:
    """A decoder that writes with packed weights, quicker or not."""
    return change_layers(decoder, lambda name, layer: Packed(layer, np.int16 if name == "second" else np.int8))


def _can_be_packed(weight: Tensor) -> bool:
    return weight.device.type == "cpu" and weight.dtype == torch.float32 and weight.shape[1] % GROUP == 0


@torch.inference_mode()
def _seconds(run: Callable[[Tensor], Tensor], layer: Linear) -> float:
    """The quickest of a few runs with one token; the first, in which kernels are compiled, does not count."""
    states, took = torch.ones(1, layer.weight.shape[1]), []
    for _ in range(1 + TRIALS):
        began = time.perf_counter()
        run(states)
        took.append(time.perf_counter() - began)
    return min(took[1:])


@numba.njit(nogil=True, fastmath=True)
def _one(states: np.ndarray, whole: np.ndarray, scales: np.ndarray, out: np.ndarray) -> None:
    """One token: states [1, in], whole [block, in, 64], scales [block, group, 64] give out [1, block * 64]."""
    total, group = np.empty(64, np.float32), np.empty(64, np.float32)
    for b in range(whole.shape[0]):
        total[:] = 0
        for g in range(scales.shape[1]):
            group[:] = 0
            for i in range(g * 32, g * 32 + 32, 4):
                s0, s1, s2, s3 = states[0, i], states[0, i + 1], states[0, i + 2], states[0, i + 3]
                for o in range(64):
                    group[o] += (
                        s0 * np.float32(whole[b, i, o])
                        + s1 * np.float32(whole[b, i + 1, o])
                        + s2 * np.float32(whole[b, i + 2, o])
                        + s3 * np.float32(whole[b, i + 3, o])
                    )
            for o in range(64):
                total[o] += group[o] * scales[b, g, o]
        out[0, b * 64 : b * 64 + 64] = total


@numba.njit(nogil=True, fastmath=True)
def _several(states: np.ndarray, whole: np.ndarray, scales: np.ndarray, out: np.ndarray) -> None:
    """As `_one` for several tokens: a group becomes floats once, then two tokens at a time use them."""
    tokens = states.shape[0]
    padded = np.zeros((tokens + tokens % 2, states.shape[1]), np.float32)
    padded[:tokens] = states
    total, tile = np.empty((padded.shape[0], 64), np.float32), np.empty((32, 64), np.float32)
    for b in range(whole.shape[0]):
        total[:] = 0
        for g in range(scales.shape[1]):
            for i in range(32):
                for o in range(64):
                    tile[i, o] = np.float32(whole[b, g * 32 + i, o]) * scales[b, g, o]
            for t in range(0, padded.shape[0], 2):
                for i in range(0, 32, 4):
                    k = g * 32 + i
                    s0, s1, s2, s3 = padded[t, k], padded[t, k + 1], padded[t, k + 2], padded[t, k + 3]
                    z0, z1, z2, z3 = padded[t + 1, k], padded[t + 1, k + 1], padded[t + 1, k + 2], padded[t + 1, k + 3]
                    for o in range(64):
                        w0, w1, w2, w3 = tile[i, o], tile[i + 1, o], tile[i + 2, o], tile[i + 3, o]
                        total[t, o] += s0 * w0 + s1 * w1 + s2 * w2 + s3 * w3
                        total[t + 1, o] += z0 * w0 + z1 * w1 + z2 * w2 + z3 * w3
        for t in range(tokens):
            out[t, b * 64 : b * 64 + 64] = total[t]
