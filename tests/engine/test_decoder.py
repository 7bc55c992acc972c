"""Our pass over GPT, GPT-2 and Llama against transformers': whole texts, token by token, and branches of one prompt."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import nn
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    OpenAIGPTConfig,
    OpenAIGPTLMHeadModel,
)

from app.engine.families.decoding.decoder import Decoder, Row
from app.engine.families.gpt2 import gpt2_decoder
from app.engine.families.llama import llama_decoder
from app.engine.families.openai_gpt import gpt_decoder

SMALL = {"vocab_size": 300, "initializer_range": 0.3, "bos_token_id": 1, "eos_token_id": 2}
GPT_SIZE = {"n_embd": 32, "n_layer": 3, "n_head": 2}
LLAMA_SIZE = {"hidden_size": 48, "num_hidden_layers": 3, "num_attention_heads": 6, "intermediate_size": 64}


def gpt() -> tuple[nn.Module, Callable[[nn.Module], Decoder]]:
    return OpenAIGPTLMHeadModel(OpenAIGPTConfig(**SMALL, **GPT_SIZE)), gpt_decoder


def gpt2() -> tuple[nn.Module, Callable[[nn.Module], Decoder]]:
    return GPT2LMHeadModel(GPT2Config(**SMALL, **GPT_SIZE)), gpt2_decoder


def llama() -> tuple[nn.Module, Callable[[nn.Module], Decoder]]:
    """Heads that share keys, tied embeddings: as SmolLM2."""
    config = LlamaConfig(**SMALL, **LLAMA_SIZE, num_key_value_heads=2, tie_word_embeddings=True)
    return LlamaForCausalLM(config), llama_decoder


def llama_with_biases() -> tuple[nn.Module, Callable[[nn.Module], Decoder]]:
    config = LlamaConfig(**SMALL, **LLAMA_SIZE, attention_bias=True, mlp_bias=True, tie_word_embeddings=False)
    return LlamaForCausalLM(config), llama_decoder


def gpt2_scaled_by_layer() -> tuple[nn.Module, Callable[[nn.Module], Decoder]]:
    """As Stanford's GPT-2s."""
    size = {**SMALL, **GPT_SIZE, "scale_attn_by_inverse_layer_idx": True, "reorder_and_upcast_attn": True}
    return GPT2LMHeadModel(GPT2Config(**size)), gpt2_decoder


def gpt2_unscaled() -> tuple[nn.Module, Callable[[nn.Module], Decoder]]:
    size = {**SMALL, **GPT_SIZE, "scale_attn_weights": False, "activation_function": "relu", "n_inner": 40}
    return GPT2LMHeadModel(GPT2Config(**size, tie_word_embeddings=False)), gpt2_decoder


def llama_stretched(kind: str) -> tuple[nn.Module, Callable[[nn.Module], Decoder]]:
    """Rotary positions stretched to a longer window; heads of a size of their own; another activation."""
    rope = {"rope_type": kind, "rope_theta": 500.0, "factor": 4.0, "original_max_position_embeddings": 16}
    if kind == "llama3":
        rope |= {"low_freq_factor": 1.0, "high_freq_factor": 4.0}
    config = LlamaConfig(
        **SMALL, **LLAMA_SIZE, rope_parameters=rope, max_position_embeddings=64, head_dim=16, hidden_act="gelu"
    )
    return LlamaForCausalLM(config), llama_decoder


STRETCHED = [partial(llama_stretched, kind) for kind in ("linear", "dynamic", "llama3", "yarn")]


@pytest.fixture(params=[gpt, gpt2, gpt2_scaled_by_layer, gpt2_unscaled, llama, llama_with_biases, *STRETCHED])
def pair(request: pytest.FixtureRequest) -> tuple[nn.Module, Decoder]:
    """A random model and our decoder over its weights."""
    torch.manual_seed(5)
    model, make = request.param()
    for name, weight in model.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(weight, std=0.3)
    model = model.double().eval()  # so that no rounding counts
    return model, make(model)


IDS = torch.randint(3, 300, (1, 40), generator=torch.Generator().manual_seed(2))


@torch.inference_mode()
def test_a_whole_text(pair: tuple) -> None:
    model, decoder = pair
    got = decoder.head(decoder.run([Row(IDS[0].tolist(), decoder.cache())]))
    assert torch.allclose(got, model(IDS).logits[0], atol=1e-4)


@torch.inference_mode()
def test_in_parts_and_token_by_token(pair: tuple) -> None:
    model, decoder = pair
    cache, parts = decoder.cache(), []
    for part in (IDS[0, :7], IDS[0, 7:19], *IDS[0, 19:, None]):
        parts.append(decoder.head(decoder.run([Row(part.tolist(), cache)])))
    assert torch.allclose(torch.cat(parts), model(IDS).logits[0], atol=1e-4)


@torch.inference_mode()
def test_rows_of_different_length_do_not_see_each_other(pair: tuple) -> None:
    model, decoder = pair
    one, other = decoder.cache(), decoder.cache()
    decoder.run([Row(IDS[0, :9].tolist(), one)])
    rows = [Row(IDS[0, 9:10].tolist(), one), Row(IDS[0, 20:33].tolist(), other)]
    got = decoder.head(decoder.run(rows))
    assert torch.allclose(got[0], model(IDS[:, :10]).logits[0, -1], atol=1e-4)
    assert torch.allclose(got[1:], model(IDS[:, 20:33]).logits[0], atol=1e-4)


@torch.inference_mode()
def test_branches_behind_one_prompt_do_not_see_each_other(pair: tuple) -> None:
    model, decoder = pair
    cache = decoder.cache()
    decoder.run([Row(IDS[0, :10].tolist(), cache)])
    branches = [[5], [7, 9, 11], [7, 9]]
    sees = torch.block_diag(*(torch.ones(len(branch), len(branch)).tril() for branch in branches)).bool()
    positions = [10 + place for branch in branches for place in range(len(branch))]
    got = decoder.head(decoder.run([Row([t for branch in branches for t in branch], cache, positions, sees)]))
    at = 0
    for branch in branches:
        expected = model(torch.cat([IDS[:, :10], torch.tensor([branch])], dim=1)).logits[0, 10:]
        assert torch.allclose(got[at : at + len(branch)], expected, atol=1e-4)
        at += len(branch)
    cache.cut(10)
    again = decoder.head(decoder.run([Row([42], cache)]))
    expected = model(torch.cat([IDS[:, :10], torch.tensor([[42]])], dim=1)).logits[0, -1:]
    assert torch.allclose(again, expected, atol=1e-4)


@torch.inference_mode()
def test_the_model_of_transformers_still_answers_the_same(pair: tuple) -> None:
    model, decoder = pair
    before = model(IDS).logits
    decoder.run([Row(IDS[0].tolist(), decoder.cache())])
    torch.testing.assert_close(model(IDS).logits, before)
