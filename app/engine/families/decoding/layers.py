"""The parts of decoders and encoders, made from the modules of transformers; no weight is in memory twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers.activations import ACT2FN
from transformers.pytorch_utils import Conv1D

from app.engine.families.decoding.decoder import Block, Decoder, FeedForward, Layer

# Up to so many tokens a pass costs what reading the weights costs; more are a prompt, where arithmetic counts.
MOST_TOKENS = 16

# The tanh form of GELU, which transformers writes out as eight operations, is one in torch.
ACTIVATIONS = {name: lambda states: F.gelu(states, approximate="tanh") for name in ("gelu_new", "gelu_pytorch_tanh")}


def activation(name: str) -> Layer:
    """An activation function by its name in a configuration."""
    return ACTIVATIONS.get(name) or ACT2FN[name]


def learned_positions(tokens: nn.Embedding, positions: nn.Embedding) -> Callable[[Tensor, Tensor], Tensor]:
    """Embedding of ids plus embedding of positions."""
    return lambda ids, at: tokens(ids) + positions(at)


@dataclass(frozen=True)
class Linear:
    """A linear layer; weight [out, in], bias [out] or None."""

    weight: Tensor
    bias: Tensor | None

    def __call__(self, states: Tensor) -> Tensor:
        """From [token, in] to [token, out]."""
        return F.linear(states, self.weight, self.bias)


def agree(product: Tensor, exact: Tensor, share: float = 1e-3) -> bool:
    """Whether a product differs from the exact one by no more than such a share of it."""
    return bool((product - exact).norm() <= share * exact.norm())


def linear(module: nn.Linear | Conv1D) -> Linear:
    """A linear layer of any of the two kinds; GPT's kind keeps its weight as [in, out]."""
    return Linear(module.weight.t() if isinstance(module, Conv1D) else module.weight, module.bias)


def fused(modules: list[nn.Linear]) -> nn.Linear:
    """Several linear layers of the same input as one; their own weights become views of it."""
    whole = nn.Linear(1, 1, bias=modules[0].bias is not None, device="meta")
    with torch.no_grad():
        whole.weight = nn.Parameter(torch.cat([module.weight for module in modules]), requires_grad=False)
        if modules[0].bias is not None:
            whole.bias = nn.Parameter(torch.cat([module.bias for module in modules]), requires_grad=False)
        start = 0
        for module in modules:
            end = start + module.weight.shape[0]
            module.weight = nn.Parameter(whole.weight[start:end], requires_grad=False)
            if module.bias is not None:
                module.bias = nn.Parameter(whole.bias[start:end], requires_grad=False)
            start = end
    return whole


def joined(modules: list[nn.Linear]) -> Linear:
    """Several linear layers of the same input as one with weights of its own."""
    return Linear(torch.cat([module.weight for module in modules]), torch.cat([module.bias for module in modules]))


def gpt_block(block: nn.Module, activation_name: str, scale: float | None = None) -> Block:
    """A layer of GPT or GPT-2: their modules have the same names; `scale` as in `Block`."""
    return Block(
        attention_norm=block.ln_1,
        query_key_value=linear(block.attn.c_attn),
        attention_output=linear(block.attn.c_proj),
        mlp_norm=block.ln_2,
        mlp=FeedForward(linear(block.mlp.c_fc), activation(activation_name), linear(block.mlp.c_proj)),
        scale=scale,
    )


def gated_block(block: nn.Module, activation_name: str) -> Block:
    """A layer of Llama and its like: three projections, and a feed-forward part with a gate (Shazeer 2020)."""
    attention, mlp = block.self_attn, block.mlp
    gate_and_value = linear(fused([mlp.gate_proj, mlp.up_proj]))
    return Block(
        attention_norm=block.input_layernorm,
        query_key_value=linear(fused([attention.q_proj, attention.k_proj, attention.v_proj])),
        attention_output=linear(attention.o_proj),
        mlp_norm=block.post_attention_layernorm,
        mlp=FeedForward(gate_and_value, activation(activation_name), linear(mlp.down_proj), gated=True),
    )


def linear_layers(decoder: Decoder) -> list[Linear]:
    """All linear layers; the vocabulary head is the last."""
    return [*(layer for block in decoder.blocks for layer in _of_block(block)), _head(decoder)]


def change_layers(decoder: Decoder, change: Callable[[Linear], Layer]) -> Decoder:
    """The same decoder with something else in each linear layer's place, made of the layer."""
    blocks = [change_block(block, change) for block in decoder.blocks]
    return replace(decoder, blocks=blocks, head=change(_head(decoder)))


def change_block(block: Block, change: Callable[[Linear], Layer]) -> Block:
    """The same with one layer."""
    query_key_value, attention_output, first, second = map(change, _of_block(block))
    mlp = replace(block.mlp, first=first, second=second)
    return replace(block, query_key_value=query_key_value, attention_output=attention_output, mlp=mlp)


def _head(decoder: Decoder) -> Linear:
    if not isinstance(decoder.head, nn.Linear):
        raise TypeError("the vocabulary head was changed before")
    return Linear(decoder.head.weight, decoder.head.bias)


def _of_block(block: Block) -> list[Linear]:
    """Query, key and value in one, the attention's output, and the two of the feed-forward part."""
    layers = (block.query_key_value, block.attention_output, block.mlp.first, block.mlp.second)
    return [_unchanged(layer) for layer in layers]


def _unchanged(layer: Layer) -> Linear:
    if not isinstance(layer, Linear):
        raise TypeError("the layer was changed before")
    return layer
