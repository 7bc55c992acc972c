"""The parts of decoders, made from the modules of transformers; no weight is in memory twice."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers.activations import ACT2FN
from transformers.pytorch_utils import Conv1D

from app.engine.families.decoding.decoder import Block, Layer

# The tanh form of GELU, which transformers writes out as eight operations, is one in torch.
ACTIVATIONS = {name: lambda states: F.gelu(states, approximate="tanh") for name in ("gelu_new", "gelu_pytorch_tanh")}


def activation(name: str) -> Layer:
    """An activation function by its name in a configuration."""
    return ACTIVATIONS.get(name) or ACT2FN[name]


def learned_positions(tokens: nn.Embedding, positions: nn.Embedding) -> Callable[[Tensor, Tensor], Tensor]:
    """Embedding of ids plus embedding of positions."""
    return lambda ids, at: tokens(ids) + positions(at)


def linear(module: nn.Linear | Conv1D) -> Layer:
    """A linear layer of any of the two kinds; GPT's kind keeps its weight as [in, out]."""
    if isinstance(module, Conv1D):
        weight, bias = module.weight, module.bias
        return lambda states: torch.addmm(bias, states, weight)
    weight, bias = module.weight, module.bias
    return lambda states: F.linear(states, weight, bias)


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


def gpt_block(block: nn.Module, activation_name: str) -> Block:
    """A layer of GPT or GPT-2: their modules have the same names."""
    first, second, act = linear(block.mlp.c_fc), linear(block.mlp.c_proj), activation(activation_name)
    return Block(
        attention_norm=block.ln_1,
        query_key_value=linear(block.attn.c_attn),
        attention_output=linear(block.attn.c_proj),
        mlp_norm=block.ln_2,
        mlp=lambda states: second(act(first(states))),
    )


def gated_block(block: nn.Module, activation_name: str) -> Block:
    """A layer of Llama and its like: three projections, and a feed-forward part with a gate (Shazeer 2020)."""
    attention, mlp, act = block.self_attn, block.mlp, activation(activation_name)
    up, down = linear(fused([mlp.gate_proj, mlp.up_proj])), linear(mlp.down_proj)

    def feed_forward(states: Tensor) -> Tensor:
        gate, value = up(states).chunk(2, dim=-1)
        return down(act(gate) * value)

    return Block(
        attention_norm=block.input_layernorm,
        query_key_value=linear(fused([attention.q_proj, attention.k_proj, attention.v_proj])),
        attention_output=linear(attention.o_proj),
        mlp_norm=block.post_attention_layernorm,
        mlp=feed_forward,
    )
