"""Each bundled checkpoint still gives its golden answers, is small, and says what it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors import safe_open

from app.pretraining.evaluation import masked as measure_masked
from app.pretraining.evaluation.evaluate import MEASURES, load_bundle
from app.pretraining.recipes import RECIPES, Recipe
from tests.pretraining.toy import MODELS

pytestmark = pytest.mark.slow

# Bytes of weights.
LARGEST = {
    "bert-mini": 20e6,
    "minilm-l6": 15e6,
    "albert-mini": 10e6,
    "roberta-mini": 20e6,
    "bert-mini-zh": 20e6,
    "gpt2-mini": 30e6,
    "gpt2-mini-zh": 24e6,
    "elmo-mini": 24e6,
    "word-vectors-mini": 5e6,
    "word-vectors-mini-zh": 5e6,
}
BUNDLES = [recipe for recipe in RECIPES.values() if (MODELS / recipe.name / "golden.json").exists()]
SPACE_IN_PIECE = {"albert": "▁", "roberta": "Ġ"}
MASKED = [recipe for recipe in BUNDLES if MEASURES[recipe.family] is measure_masked]


def read_json(path: Path) -> dict | list:
    """A JSON file's content."""
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture(params=BUNDLES, ids=lambda recipe: recipe.name)
def bundle(request: pytest.FixtureRequest) -> tuple[Recipe, Any, Any]:
    """A bundle's recipe, model and tokenizer."""
    folder = MODELS / request.param.name
    try:
        return request.param, *load_bundle(request.param, folder)
    except FileNotFoundError as error:
        pytest.skip(f"its base is not installed: {error}")


def flat(answer: Any) -> Iterator[Any]:
    """The texts and numbers of nested lists and dictionaries, in order."""
    if isinstance(answer, dict | list):
        for part in answer.values() if isinstance(answer, dict) else answer:
            yield from flat(part)
    else:
        yield answer


def same(answers: list[dict], golden: list[dict]) -> bool:
    """Equal words, numbers within a thousandth."""
    return all(
        a == pytest.approx(b, abs=1e-3) if isinstance(b, float) else a == b
        for a, b in zip(flat(answers), flat(golden), strict=True)
    )


def test_golden_answers(bundle: tuple[Recipe, Any, Any]) -> None:
    recipe, model, tokenizer = bundle
    expected = read_json(MODELS / recipe.name / "golden.json")
    assert len(expected) == 5
    assert same(MEASURES[recipe.family].golden(recipe, model, tokenizer), expected)


@pytest.mark.parametrize("recipe", MASKED, ids=lambda recipe: recipe.name)
def test_first_answers_are_whole_words(recipe: Recipe) -> None:
    """Each golden hole stands after a space, or in Chinese: what fills it begins a word."""
    for answer in read_json(MODELS / recipe.name / "golden.json"):
        piece = answer["top_5"][0][0]
        if recipe.family in SPACE_IN_PIECE:
            assert piece.startswith(SPACE_IN_PIECE[recipe.family]), (answer["text"], piece)
        assert piece.strip("Ġ▁").isalpha() or "天" in answer["text"], (answer["text"], piece)


def test_a_damaged_weight_is_noticed(bundle: tuple[Recipe, Any, Any]) -> None:
    recipe, model, tokenizer = bundle
    with torch.no_grad():
        largest = max(model.parameters(), key=lambda weight: weight.numel() * (weight.ndim > 1))
        largest.copy_(largest.roll(1, dims=0))
    answers = MEASURES[recipe.family].golden(recipe, model, tokenizer)
    assert not same(answers, read_json(MODELS / recipe.name / "golden.json"))


@pytest.mark.parametrize("recipe", BUNDLES, ids=lambda recipe: recipe.name)
def test_weights_are_small_and_half_precision(recipe: Recipe) -> None:
    (weights,) = (MODELS / recipe.name).glob("*.safetensors")
    assert weights.stat().st_size <= LARGEST[recipe.name]
    with safe_open(weights, framework="pt") as opened:
        names = list(opened.keys())
        assert {opened.get_tensor(name).dtype for name in names} <= {torch.float16, torch.int8}
    assert "cls.predictions.decoder.weight" not in names, "the tied decoder is not stored twice"


@pytest.mark.parametrize("recipe", BUNDLES, ids=lambda recipe: recipe.name)
def test_the_card_and_the_record_agree(recipe: Recipe) -> None:
    folder = MODELS / recipe.name
    record, card = read_json(folder / "train.json"), (folder / "README.md").read_text(encoding="utf-8")
    assert record["recipe"]["name"] == recipe.name
    assert not [entry for entry in record["corpus"] if entry["file"].startswith("r_")]
    assert record["scores"]
    for scores in record["scores"].values():
        assert all(name in card for name in scores.get("baselines", ()))


@pytest.mark.parametrize("recipe", MASKED, ids=lambda recipe: recipe.name)
def test_hidden_pieces_are_found_more_often_than_by_counting(recipe: Recipe) -> None:
    folder = MODELS / recipe.name
    card = (folder / "README.md").read_text(encoding="utf-8")
    scores = read_json(folder / "train.json")["scores"]["masked_pieces"]
    assert f"{scores['model']['top_1']:.1%}" in card
    # Counting both neighbours is a stronger rival than these two; the card shows it, winning or not.
    for name in ("most frequent piece", "trigram (two pieces before)"):
        score = scores["baselines"][name]
        assert scores["model"]["top_1"] > score["top_1"], f"does not beat: {name}"
        assert scores["model"]["top_5"] > score["top_5"], f"does not beat: {name}"


def test_all_bundles_together_are_small() -> None:
    assert sum(file.stat().st_size for file in MODELS.rglob("*") if file.is_file()) < 120e6


@pytest.mark.parametrize("recipe", MASKED, ids=lambda recipe: recipe.name)
def test_a_typed_mask_hides_a_whole_word(recipe: Recipe) -> None:
    """The model learnt to fill in pieces that were hidden; a mask in a text has to look the same to it."""
    try:
        _, tokenizer = load_bundle(recipe, MODELS / recipe.name)
    except FileNotFoundError as error:
        pytest.skip(f"its base is not installed: {error}")
    words, hidden = ("今天的天气很好", "天") if recipe.language == "zh" else ("He was born in New York City", "York")
    whole = tokenizer(words).input_ids
    masked = tokenizer(words.replace(hidden, tokenizer.mask_token, 1)).input_ids
    assert len(masked) == len(whole)
    apart = [place for place, (one, other) in enumerate(zip(whole, masked, strict=True)) if one != other]
    assert [masked[place] for place in apart] == [tokenizer.mask_token_id]
