"""Measures a bundled checkpoint beside its baselines: `python -m app.pretraining evaluate NAME`.

The validation text and the pairs are read only here: nothing is chosen or fitted on them. The scores go into
`train.json`, the golden answers into `golden.json`, and the model card is rewritten from both.
"""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType
from typing import Any

from app.pretraining import word_vectors
from app.pretraining.cards.model_card import write_card
from app.pretraining.evaluation import causal as measure_causal
from app.pretraining.evaluation import elmo as measure_elmo
from app.pretraining.evaluation import masked as measure_masked
from app.pretraining.evaluation import vectors as measure_vectors
from app.pretraining.evaluation.inputs import Places, write_json
from app.pretraining.families import family_of
from app.pretraining.recipes import RECIPES, Recipe
from app.training.bundled.bundles import RECIPES as FINE_TUNED
from app.training.bundled.bundles import evaluate as evaluate_fine_tuned

# Modules with `measure` (scores) and `golden` (answers to fixed inputs), by family.
MEASURES: dict[str, ModuleType] = {
    "albert": measure_masked,
    "bert": measure_masked,
    "bert_adapter": measure_masked,
    "elmo": measure_elmo,
    "gpt2": measure_causal,
    "roberta": measure_masked,
    word_vectors.FAMILY: measure_vectors,
}


def load_bundle(recipe: Recipe, folder: Path) -> tuple[Any, Any]:
    """The model and tokenizer of a bundle."""
    return word_vectors.load(folder) if recipe.family == word_vectors.FAMILY else family_of(recipe).load(folder)


def evaluate(name: str, places: Places) -> dict:
    """Measure the bundled checkpoint `name`, write its scores, golden answers and card, and return the scores.

    Raises:
        LookupError: no recipe makes a checkpoint of this name.
    """
    if name in FINE_TUNED:
        return evaluate_fine_tuned(FINE_TUNED[name], places.evaluation)["scores"]
    keys = {recipe.name: key for key, recipe in RECIPES.items()}
    if name not in keys:
        raise LookupError(f"no recipe makes {name!r}; there are: {', '.join(sorted([*keys, *FINE_TUNED]))}")
    folder, recipe = places.models / name, RECIPES[keys[name]]
    measures = MEASURES[recipe.family]
    scores = measures.measure(recipe, keys[name], places)
    golden = measures.golden(recipe, *load_bundle(recipe, folder))
    record = json.loads((folder / "train.json").read_text(encoding="utf-8")) | {"scores": scores}
    write_json(folder / "train.json", record)
    write_json(folder / "golden.json", golden)
    write_card(folder, record)
    return scores


def golden_lines(folder: Path) -> list[str]:
    """A bundle's golden answers, one per line, to read: scores on ids do not reveal that the answers are not words."""
    lines = []
    for answer in json.loads((folder / "golden.json").read_text(encoding="utf-8")):
        asked, *answers = answer.values()
        lines.append(f"  {asked}  ->  {json.dumps(answers, ensure_ascii=False)}")
    return lines
