"""Weights rest in their file: the process's memory shrinks, answers stay the same, changed weights are left alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch
from torch import nn
from transformers import BertConfig, BertModel

from app.engine.runtime.loader import Loader
from app.engine.runtime.resting import Resting, rest
from app.registry.lookup import BY_NAME

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for the process's mappings")
MEGABYTE = 1 << 20


@pytest.fixture
def model(tmp_path: Path) -> nn.Module:
    """Some 60 MB of weights, mapped from a file."""
    config = BertConfig(vocab_size=30_000, hidden_size=384, num_hidden_layers=2, num_attention_heads=6)
    BertModel(config).save_pretrained(tmp_path)
    return BertModel.from_pretrained(tmp_path).eval()


def mapped_bytes() -> int:
    """Of files, in this process's memory."""
    return int(Path("/proc/self/status").read_text().split("RssFile:")[1].split()[0]) * 1024


@torch.inference_mode()
def answer(model: nn.Module) -> torch.Tensor:
    """After every weight was read."""
    sum(float(weight.sum()) for weight in model.parameters())
    return model(torch.arange(20)[None]).last_hidden_state


def test_pages_go_and_come_back(model: nn.Module) -> None:
    first, size = answer(model), sum(weight.nbytes for weight in model.parameters())
    full = mapped_bytes()
    assert rest([model]) >= size and mapped_bytes() < full - 0.8 * size
    torch.testing.assert_close(answer(model), first)
    assert mapped_bytes() > full - 8 * MEGABYTE


def test_what_was_changed_is_not_let_go(model: nn.Module) -> None:
    with torch.no_grad():
        model.embeddings.word_embeddings.weight[7] = 3.0
    assert rest([model]) == 0 and model.embeddings.word_embeddings.weight[7, 0] == 3.0
    assert rest([nn.Linear(500, 500)]) == 0, "it is in no file"


def test_who_was_not_asked_for_in_a_while_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    rested: list[nn.Module] = []
    monkeypatch.setattr("app.engine.runtime.resting.rest", rested.extend)
    now, (early, late) = [0.0], (nn.Linear(1, 1), nn.Linear(1, 1))
    resting = Resting(60.0, lambda: now[0])
    resting.wake(early)
    now[0] = 50.0
    resting.wake(late)
    now[0] = 70.0
    resting.rest_unused(60.0)
    assert rested == [early]
    resting.rest_unused(60.0)
    assert rested == [early], "once"
    resting.rest_unused(0.0)
    assert rested == [early, late]


def test_loading_another_lets_the_others_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    rested: list[nn.Module] = []
    monkeypatch.setattr("app.engine.runtime.resting.rest", rested.extend)
    loader = Loader(10**9)
    first = loader.get(BY_NAME["bert-mini"])
    assert rested == []
    second = loader.get(BY_NAME["roberta-mini"])
    assert rested == [first.model]
    loader.get(BY_NAME["gpt2-mini"])
    assert rested == [first.model, second.model]
