"""A tiny run from text to bundle: it learns, can be stopped and resumed, and its files can be loaded."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForPreTraining, AutoTokenizer

from app.pretraining import train as train_module
from app.pretraining import word_vectors
from app.pretraining.cards.descriptions import ABOUT
from app.pretraining.evaluation.evaluate import MEASURES
from app.pretraining.evaluation.masked_answers import Judge
from app.pretraining.export import export
from app.pretraining.families import FAMILIES, family_of
from app.pretraining.recipes import RECIPES, Recipe
from app.pretraining.train import restore, train
from app.pretraining.training_state import State, load_state, save_state

pytestmark = pytest.mark.slow

CPU = torch.device("cpu")
TINY = Recipe(
    name="bert-mini",
    family="bert",
    language="en",
    vocab_size=80,
    config={
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
        "max_position_embeddings": 128,
        "hidden_dropout_prob": 0.0,
        "attention_probs_dropout_prob": 0.0,
    },
    lengths=(32, 64),
    tokens_per_batch=512,
    learning_rate=5e-3,
)

TINY_ALBERT = replace(
    TINY,
    name="albert-mini",
    family="albert",
    vocab_size=60,
    config=TINY.config | {"embedding_size": 8, "classifier_dropout_prob": 0.0},
)

TINY_ROBERTA = replace(
    TINY,
    name="roberta-mini",
    family="roberta",
    vocab_size=300,
    config=TINY.config | {"max_position_embeddings": 130},
    mix=RECIPES["roberta_mini"].mix,
    maskings=RECIPES["roberta_mini"].maskings,
)


@pytest.fixture(autouse=True)
def _float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timed choice of precision would differ from run to run."""
    monkeypatch.setattr(train_module, "faster_precision", lambda run, batch: torch.float32)


def weights_of(run: train_module.Run) -> dict[str, torch.Tensor]:
    """A copy of the weights."""
    return {name: tensor.clone() for name, tensor in run.model.state_dict().items()}


def test_a_resumed_run_equals_an_unbroken_one(text_folder: Path, tmp_path: Path) -> None:
    unbroken, _ = train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=9)
    # The library that makes vocabularies breaks ties as it likes: both runs take the same one.
    shutil.copytree(tmp_path / "a" / "tokenizer", tmp_path / "b" / "tokenizer")
    train(TINY, text_folder, tmp_path / "b", 1.0, CPU, steps=9, stop_after=4)
    resumed, state = train(TINY, text_folder, tmp_path / "b", 1.0, CPU, steps=9)
    assert state.steps == 9
    expected = weights_of(unbroken)
    for name, tensor in weights_of(resumed).items():
        torch.testing.assert_close(tensor, expected[name], msg=f"{name} differs")


def test_a_second_cycle_goes_on_from_the_first(text_folder: Path, tmp_path: Path) -> None:
    _, first = train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=5)
    _, second = train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=5)
    assert (first.steps, second.steps) == (5, 10)
    assert second.tokens > first.tokens


@pytest.mark.parametrize("recipe", [TINY, TINY_ALBERT, TINY_ROBERTA], ids=lambda recipe: recipe.family)
def test_it_learns(recipe: Recipe, text_folder: Path, tmp_path: Path) -> None:
    _, start = train(recipe, text_folder, tmp_path / "a", 1.0, CPU, steps=1)
    _, end = train(recipe, text_folder, tmp_path / "a", 1.0, CPU, steps=120)
    assert end.loss < 0.75 * start.loss


def test_the_passes_over_the_text_are_counted(text_folder: Path, tmp_path: Path) -> None:
    run, state = train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=60)
    assert state.maskings_done >= 1
    assert state.steps == 60
    again, restored = restore(TINY, text_folder, tmp_path / "a", CPU)
    assert restored == state
    assert all(torch.equal(tensor, weights_of(run)[name]) for name, tensor in weights_of(again).items())


def test_a_saved_rate_does_not_become_the_peak_rate(tmp_path: Path) -> None:
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.5)
    optimizer.param_groups[0]["lr"] = 0.001  # in the middle of a cycle
    save_state(tmp_path / "state.pt", model, optimizer, State(steps=3, plan_seconds=60.0))
    fresh = torch.optim.AdamW(model.parameters(), lr=0.5)
    state = load_state(tmp_path / "state.pt", model, fresh)
    assert fresh.param_groups[0]["lr"] == 0.5
    assert (state.steps, state.plan_seconds) == (3, 60.0)


def test_a_stopped_cycle_is_finished_before_a_new_one() -> None:
    state = State(steps=10, seconds=50.0, plan_start=20.0, plan_seconds=60.0)
    state.begin_cycle(minutes=99.0, steps=None)
    assert (state.plan_start, state.plan_seconds) == (20.0, 60.0)
    state.end_cycle()
    state.begin_cycle(minutes=2.0, steps=None)
    assert (state.plan_start, state.plan_seconds, state.plan_start_step) == (50.0, 120.0, 10)
    assert state.cycles == [{"steps": 10, "seconds": 30, "rate": 1.0}]


def test_a_later_cycle_may_be_gentler(text_folder: Path, tmp_path: Path) -> None:
    before = weights_of(train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=2)[0])
    run, state = train(TINY, text_folder, tmp_path / "a", 1.0, CPU, steps=2, rate=1e-6)
    assert [cycle["rate"] for cycle in state.cycles] == [1.0, 1e-6]
    for name, tensor in weights_of(run).items():
        torch.testing.assert_close(tensor, before[name], atol=1e-6, rtol=1e-4)


@pytest.mark.parametrize("recipe", [TINY, TINY_ALBERT, TINY_ROBERTA], ids=lambda recipe: recipe.family)
def test_the_bundle_can_be_loaded_and_says_where_it_is_from(recipe: Recipe, text_folder: Path, tmp_path: Path) -> None:
    run, state = train(recipe, text_folder, tmp_path / "work", 1.0, CPU, steps=3)
    bundle = tmp_path / "bundle"
    export(run, state, text_folder, bundle)
    model, report = AutoModelForPreTraining.from_pretrained(bundle, output_loading_info=True)
    assert not report["missing_keys"], "both heads are in the file"
    assert next(model.parameters()).dtype in (torch.float16, torch.float32)
    expected = weights_of(run)
    for name, tensor in model.state_dict().items():
        torch.testing.assert_close(tensor.float(), expected[name], atol=1e-3, rtol=1e-3)
    assert AutoTokenizer.from_pretrained(bundle).tokenize("The dog sees") == run.tokenizer.tokenize("The dog sees")
    record = json.loads((bundle / "train.json").read_text(encoding="utf-8"))
    assert [entry["file"] for entry in record["corpus"]] == ["storybooks.txt.xz", "wikinews_1.txt.xz"]
    assert record["steps"] == 3
    assert all(len(entry["sha256"]) == 64 and entry["licence"] for entry in record["corpus"])
    card = (bundle / "README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlicense:")
    assert "African Storybook" in card
    judge = Judge(*family_of(recipe).load(bundle))
    assert len(judge.golden_answers()) == 5
    assert judge.has_pair_head == (recipe is not TINY_ROBERTA)
    if judge.has_pair_head:
        assert judge.pair_is_in_order([("The dog sees.", "The cat hears.")] * 3).shape == (3,)


def test_recipes_differ_in_name_and_know_their_family() -> None:
    names = [recipe.name for recipe in RECIPES.values()]
    assert len(set(names)) == len(names)
    for recipe in RECIPES.values():
        assert recipe.family in FAMILIES or recipe.family == word_vectors.FAMILY
        assert recipe.family in MEASURES
        assert recipe.name in ABOUT
        assert max(recipe.lengths, default=0) <= recipe.config.get("max_position_embeddings", 512)
