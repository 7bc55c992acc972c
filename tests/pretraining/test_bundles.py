"""Each bundled checkpoint still gives its golden answers, is small, and says what it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from app.pretraining.answers import GOLDEN_TEXTS, Judge
from app.pretraining.families import FAMILIES
from app.pretraining.recipes import RECIPES, Recipe
from tests.pretraining.toy import MODELS

LARGEST = {"bert-mini": 20e6, "minilm-l6": 4e6, "albert-mini": 10e6}  # bytes of weights
BUNDLES = [recipe for recipe in RECIPES.values() if (MODELS / recipe.name / "golden.json").exists()]


def read_json(path: Path) -> dict | list:
    """A JSON file's content."""
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(params=BUNDLES, ids=lambda recipe: recipe.name)
def judge(request: pytest.FixtureRequest) -> tuple[Judge, Path]:
    """A bundle, loaded."""
    folder = MODELS / request.param.name
    try:
        return Judge(*FAMILIES[request.param.family].load(folder)), folder
    except FileNotFoundError as error:
        pytest.skip(f"its base is not installed: {error}")


def test_golden_answers(judge: tuple[Judge, Path]) -> None:
    asked, folder = judge
    golden = read_json(folder / "golden.json")
    assert len(golden) == len(GOLDEN_TEXTS)
    for expected, answer in zip(golden, asked.golden_answers(), strict=True):
        assert answer["text"] == expected["text"]
        assert [piece for piece, _ in answer["top_5"]] == [piece for piece, _ in expected["top_5"]]
        probabilities = ([p for _, p in each["top_5"]] for each in (answer, expected))
        assert next(probabilities) == pytest.approx(next(probabilities), abs=1e-3)


def test_a_damaged_weight_is_noticed(judge: tuple[Judge, Path]) -> None:
    asked, folder = judge
    with torch.no_grad():
        next(iter(asked.model.base_model.encoder.parameters())).mul_(-1)
    changed = [
        answer["top_5"] != expected["top_5"]
        for answer, expected in zip(asked.golden_answers(), read_json(folder / "golden.json"), strict=True)
    ]
    assert any(changed)


@pytest.mark.parametrize("recipe", BUNDLES, ids=lambda recipe: recipe.name)
def test_weights_are_small_and_half_precision(recipe: Recipe) -> None:
    (weights,) = (MODELS / recipe.name).glob("*.safetensors")
    assert weights.stat().st_size <= LARGEST[recipe.name]
    with safe_open(weights, framework="pt") as opened:
        names = list(opened.keys())
        assert {opened.get_tensor(name).dtype for name in names} == {torch.float16}
    assert "cls.predictions.decoder.weight" not in names, "the tied decoder is not stored twice"


@pytest.mark.parametrize("recipe", BUNDLES, ids=lambda recipe: recipe.name)
def test_the_card_and_the_record_agree(recipe: Recipe) -> None:
    folder = MODELS / recipe.name
    record, card = read_json(folder / "train.json"), (folder / "README.md").read_text(encoding="utf-8")
    assert record["recipe"]["name"] == recipe.name
    assert not [entry for entry in record["corpus"] if entry["file"].startswith("r_")]
    scores = record["scores"]["masked_pieces"]
    assert f"{scores['model']['top_1']:.1%}" in card
    assert all(name in card for name in scores["baselines"])
    # Counting both neighbours is a stronger rival than these two; the card shows it, winning or not.
    for name in ("most frequent piece", "trigram (two pieces before)"):
        score = scores["baselines"][name]
        assert scores["model"]["top_1"] > score["top_1"], f"does not beat: {name}"
        assert scores["model"]["top_5"] > score["top_5"], f"does not beat: {name}"
