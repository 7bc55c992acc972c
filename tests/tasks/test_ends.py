"""Where a text begins and ends for a decoder: all end ids count, and no prompt comes after a closing mark."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

from app.engine.runtime.loader import load, load_head, loader
from app.engine.storage.hub import SMALL
from app.registry.checkpoint import CAUSAL_LM
from app.registry.lookup import BY_NAME
from app.settings import settings
from app.tasks.attention.layer_predictions import layer_predictions
from app.tasks.prompting.prompt_size import prompt_size
from app.tasks.prompting.write import generate, next_token
from app.tasks.surprise.score import score
from app.tasks.zero_shot.predict import zero_shot
from tests.checkpoints import build, save, tiny_tokenizers


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PLAYGROUND_MODELS", str(tmp_path))
    for kept in (settings, loader):
        kept.cache_clear()
    yield tmp_path
    for kept in (settings, loader):
        kept.cache_clear()


def always_says(model: torch.nn.Module, token_id: int) -> torch.nn.Module:
    """The model with one most probable token everywhere."""
    with torch.no_grad():
        model.transformer.ln_f.weight.zero_()
        model.transformer.ln_f.bias.copy_(model.lm_head.weight[token_id] * 50)
    return model


@pytest.mark.parametrize("ends", [[2, 7], 7, [-1, 99_999, "x", 7]])
def test_the_end_ids_of_generation_config_count(host: Path, ends: object) -> None:
    tokenizer = tiny_tokenizers()["gpt2"]
    torch.manual_seed(3)
    model = build("gpt2", tokenizer)
    model.config.eos_token_id = model.config.bos_token_id = 2
    save(host / "gpt2", always_says(model, 7), tokenizer)
    written = generate("the dog", "gpt2", 6, temperature=0)
    assert (len(written.tokens), written.stopped) == (6, "length")
    (host / "gpt2" / "generation_config.json").write_text(json.dumps({"eos_token_id": ends}))
    loader.cache_clear()
    written = generate("the dog", "gpt2", 6, temperature=0)
    assert (written.tokens, written.stopped) == ([], "end")
    assert "generation_config.json" in SMALL


@pytest.fixture
def chinese(host: Path) -> str:
    """A GPT-2 with BERT's vocabulary, as its authors publish it: vocab.txt, and GPT-2's end id in its configuration."""
    bert = tiny_tokenizers()["bert"]
    torch.manual_seed(4)
    save(host / "gpt2", build("gpt2", bert), bert)
    for path in (host / "gpt2").glob("*token*.json"):
        path.unlink()
    words = sorted(bert.get_vocab().items(), key=lambda entry: entry[1])
    (host / "gpt2" / "vocab.txt").write_text("\n".join(word for word, _ in words), encoding="utf-8")
    return "gpt2"


def test_a_prompt_is_not_asked_behind_a_closing_mark(chinese: str) -> None:
    loaded = load(BY_NAME[chinese])
    bert = loaded.text.tokenizer
    ids = bert("the dog").input_ids[:-1]  # without [SEP]
    with torch.inference_mode():
        expected = loaded.model(torch.tensor([ids])).logits[0, -1].softmax(-1)
    answer = next_token("the dog", chinese, 5)
    for candidate in answer.candidates:
        assert candidate.probability == pytest.approx(float(expected[candidate.token_id]), rel=1e-3)
    first = generate("the dog", chinese, 1, temperature=0).tokens
    assert [token.token_id for token in first] in ([], [answer.candidates[0].token_id])
    assert prompt_size("the dog", chinese).tokens == len(ids) == 3
    assert load_head(BY_NAME[chinese], CAUSAL_LM).end_ids == {bert.sep_token_id}


def test_all_ways_of_asking_have_the_same_in_front(chinese: str) -> None:
    following = {c.token_id: c.probability for c in next_token("the dog", chinese, 1_000).candidates}
    scored = score("the dog ran", chinese).tokens
    ran = load(BY_NAME[chinese]).text.encode("ran", add_special_tokens=False).input_ids
    assert len(scored) == 2 + len(ran)
    assert scored[2].log_probability == pytest.approx(float(torch.tensor(following[ran[0]]).log()), abs=1e-3)
    labels = zero_shot("dog", ["ran", "cat"], "the {text}", chinese, "sum").scores
    assert labels[0].log_probability == pytest.approx(sum(t.log_probability for t in scored[2:]), abs=1e-3)
    layers = layer_predictions("the dog", chinese)
    assert [token.piece for token in layers.tokens] == ["[CLS]", "the", "dog"]
    top = layers.layers[-1].masks[-1][0].probability
    assert top == pytest.approx(max(following.values()), rel=1e-3)
