"""Smaller weights: what rounding changes, layer by layer and in whole distributions, and where it is not applied."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel, LlamaConfig, LlamaForCausalLM

from app.engine.families.decoding import fp16_linear as half
from app.engine.families.decoding.decoder import Decoder, Row
from app.engine.families.decoding.fp16_linear import MOST_TOKENS, Half, halved
from app.engine.families.decoding.layers import Linear
from app.engine.families.gpt2 import gpt2_decoder
from app.engine.families.llama import llama_decoder
from app.engine.runtime.loader import load_head, loader
from app.registry.lookup import find
from app.settings import settings
from app.tasks.prompting.write import generate


def layer(outputs: int, inputs: int, bias: bool = True) -> Linear:
    torch.manual_seed(outputs)
    return Linear(torch.randn(outputs, inputs), torch.randn(outputs) if bias else None)


@pytest.mark.parametrize("tokens", [1, 2, 3, 8, MOST_TOKENS])
@pytest.mark.parametrize("outputs", [64, 100, 257])
def test_a_layer_is_the_one_with_rounded_weights(tokens: int, outputs: int) -> None:
    given = layer(outputs, 96, bias=outputs != 100)
    states = torch.randn(tokens, 96)
    expected = Linear(given.weight.half().float(), given.bias)(states)
    assert torch.allclose(Half(given)(states), expected, atol=1e-4)
    assert not torch.allclose(Half(given)(states), given(states), atol=1e-5)


def test_a_prompt_is_read_with_the_weights_themselves() -> None:
    given, states = layer(70, 64), torch.randn(MOST_TOKENS + 1, 64)
    torch.testing.assert_close(Half(given)(states), given(states))


def gpt2(width: int = 64) -> Decoder:
    torch.manual_seed(3)
    config = GPT2Config(vocab_size=300, n_embd=width, n_layer=2, n_head=2, initializer_range=0.1)
    return gpt2_decoder(GPT2LMHeadModel(config).eval())


def llama() -> Decoder:
    torch.manual_seed(3)
    sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 96}
    config = LlamaConfig(vocab_size=300, **sizes, num_key_value_heads=2, initializer_range=0.1)
    return llama_decoder(LlamaForCausalLM(config).eval())


@torch.inference_mode()
def distributions(decoder: Decoder, ids: list[int]) -> torch.Tensor:
    """[token, vocabulary], token by token, as a text is written."""
    cache = decoder.cache()
    return torch.cat([decoder.head(decoder.run([Row([token], cache)])).softmax(-1) for token in ids])


@pytest.mark.parametrize("make", [gpt2, llama])
def test_distributions_stay_where_they_are(make: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half, "_seconds", lambda run, layer: 0.0 if isinstance(run, Half) else 1.0)
    decoder, ids = make(), torch.randint(0, 300, (60,), generator=torch.Generator().manual_seed(1)).tolist()
    small = halved(decoder)
    assert small is not decoder
    apart = (distributions(decoder, ids) - distributions(small, ids)).abs().sum(-1) / 2  # total variation
    assert 0 < apart.mean() < 0.002


@torch.inference_mode()
def test_a_model_whose_weights_are_too_large_for_16_bits_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half, "_seconds", lambda run, layer: 0.0 if isinstance(run, Half) else 1.0)
    decoder = gpt2()
    decoder.head.weight[0, 0] = 1e5
    assert halved(decoder) is decoder


def test_where_it_is_not_quicker_the_weights_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(half, "_seconds", lambda run, layer: 1.0)
    decoder = gpt2()
    assert halved(decoder) is decoder


def test_a_host_that_asks_gets_texts_from_smaller_weights(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, plain = load_head(find("gpt2", "generate"), "causal_lm").loaded.model, generate("The dog", "gpt2")
    whole = sum(weight.nbytes for weight in model.parameters())
    monkeypatch.setenv("PLAYGROUND_WEIGHTS", "float16")
    for kept in (settings, loader):
        kept.cache_clear()
    monkeypatch.setattr(half, "_seconds", lambda run, layer: 0.0 if isinstance(run, Half) else 1.0)
    written = generate("The dog", "gpt2", seed=7)
    assert (plain.precision, written.precision) == ("float32", "float16")
    assert written.tokens == generate("The dog", "gpt2", seed=7).tokens
    assert load_head(find("gpt2", "generate"), "causal_lm").loaded.bytes == int(1.5 * whole)
