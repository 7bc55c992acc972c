"""The second copy of the weights: same numbers, made when needed, counted, and omitted without memory for it."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
import torch

from app.engine.adapters.blocks import PORTIONS, Blocks, has_blocks
from app.engine.families.decoding.decoder import Row
from app.engine.families.decoding.layers import Linear, agree
from app.engine.families.decoding.packed_linear import MOST_TOKENS, Blocked, blocked
from app.engine.runtime.loader import load_head, loader
from app.registry.lookup import find
from app.results.prompting import Sampling
from app.settings import settings
from tests.engine.test_half import gpt2, layer, llama


@pytest.mark.parametrize("tokens", [1, 2, 3, 8, MOST_TOKENS, MOST_TOKENS + 1])
@pytest.mark.parametrize("bias", [True, False])
def test_a_blocked_layer_is_the_layer(tokens: int, bias: bool) -> None:
    given, states = layer(257, 96, bias), torch.randn(tokens, 96)
    assert torch.allclose(Blocked(given)(states), given(states), atol=1e-4)


def test_weights_that_lie_the_other_way_are_read_right() -> None:
    turned = Linear(torch.randn(64, 100).t(), torch.randn(100))
    states = torch.randn(4, 64)
    assert torch.allclose(Blocked(turned)(states), turned(states), atol=1e-4)


def test_the_copy_is_made_when_several_tokens_come_at_once() -> None:
    made = Blocked(layer(64, 64))
    made(torch.randn(1, 64))
    made(torch.randn(MOST_TOKENS + 1, 64))
    assert made._blocks is None
    made(torch.randn(2, 64))
    assert made._blocks is not None


@pytest.mark.parametrize("make", [gpt2, llama])
@torch.inference_mode()
def test_logits_of_several_rows_stay_what_they_are(make: object) -> None:
    decoder, rows = make(), [[5, 9], [7], [11, 12, 13]]

    def logits(of: object) -> torch.Tensor:
        return of.head(of.run([Row(ids, of.cache()) for ids in rows]))

    assert torch.allclose(logits(blocked(decoder)), logits(decoder), atol=1e-4)


def test_a_prompt_alone_makes_no_copy(tiny: Path) -> None:
    streams = load_head(find("gpt2", "generate"), "causal_lm")._streams
    greedy = Sampling(temperature=0)
    list(streams.write([5, 6, 7], 1, greedy, frozenset()))
    assert streams._several.head._blocks is None
    alone = [step.token_id for step in streams.write([5, 6, 7], 4, greedy, frozenset())]
    both = [streams.write([5, 6, 7], 4, greedy, frozenset()) for _ in range(2)]
    texts: list[list] = []
    readers = [threading.Thread(target=lambda text=text: texts.append(list(text))) for text in both]
    with streams._lock:  # nobody's turn comes before both are there
        for reader in readers:
            reader.start()
        while streams.running() < 2:
            time.sleep(0.001)
    for reader in readers:
        reader.join()
    assert streams._several.head._blocks is not None
    assert [[step.token_id for step in text] for text in texts] == [alone] * 2


def test_both_copies_are_counted_and_must_fit_the_budget(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def writer_and_bytes() -> tuple[object, int]:
        causal = load_head(find("gpt2", "generate"), "causal_lm")
        return causal._streams._several, causal.loaded.bytes

    several, twice = writer_and_bytes()
    assert isinstance(several.head, Blocked)
    monkeypatch.setenv("PLAYGROUND_MEMORY_MB", "0")
    for kept in (settings, loader):
        kept.cache_clear()
    several, once = writer_and_bytes()
    assert several is None
    assert twice == 2 * once


def test_a_kernel_that_multiplies_wrongly_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    assert agree(torch.ones(3), torch.ones(3) + 1e-4) and not agree(torch.ones(3), torch.ones(3) * 1.1)
    has_blocks.cache_clear()
    multiplies = Blocks.__call__
    monkeypatch.setattr(Blocks, "__call__", lambda blocks, states: multiplies(blocks, states) * 1.01)
    assert not has_blocks()
    has_blocks.cache_clear()

    def unsupported(blocks: Blocks, states: torch.Tensor) -> torch.Tensor:
        raise RuntimeError("could not create a primitive")

    monkeypatch.setattr(Blocks, "__call__", unsupported)
    assert not has_blocks()
    has_blocks.cache_clear()


def test_any_number_of_tokens_takes_one_of_few_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """oneDNN compiles one for each number of rows, and keeps it."""
    if not has_blocks():
        pytest.skip("this torch has no weights in blocks")
    layer = Linear(torch.randn(48, 32), torch.randn(48))
    in_blocks, multiply, rows = Blocks(layer), torch.ops.mkldnn._linear_pointwise, set[int]()

    def noted(states: torch.Tensor, *rest: object) -> torch.Tensor:
        rows.add(len(states))
        return multiply(states, *rest)

    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", noted)
    for tokens in (*range(1, 257, 3), *PORTIONS, 257, 1_000):
        states = torch.randn(tokens, 32)
        torch.testing.assert_close(in_blocks(states), layer(states), rtol=1e-4, atol=1e-4)
    assert in_blocks(torch.randn(3, 50, 32)).shape == (3, 50, 48)
    assert rows == {*PORTIONS} and len(PORTIONS) < 30
