"""Measures a bundled checkpoint beside its baselines: `python -m app.pretraining evaluate NAME`.

The validation text and the pairs are read here and nowhere else: nothing is chosen or fitted on them. The scores go
into `train.json`, the golden answers into `golden.json`, and the model card is written anew from both.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from app.pretraining import measure_causal, measure_masked
from app.pretraining.model_card import write_card
from app.pretraining.places import Places, write_json
from app.pretraining.recipes import RECIPES, Recipe

# (recipe, its key, folders) -> (scores, golden answers), by family.
MEASURES: dict[str, Callable[[Recipe, str, Places], tuple[dict, list[dict]]]] = {
    "albert": measure_masked.measure,
    "bert": measure_masked.measure,
    "bert_adapter": measure_masked.measure,
    "gpt2": measure_causal.measure,
}


def evaluate(name: str, places: Places) -> dict:
    """Measure the bundled checkpoint `name` and write its scores, golden answers and card; the scores.

    Raises:
        LookupError: no recipe makes a checkpoint of this name.
    """
    keys = {recipe.name: key for key, recipe in RECIPES.items()}
    if name not in keys:
        raise LookupError(f"no recipe makes {name!r}; there are: {', '.join(sorted(keys))}")
    folder, recipe = places.models / name, RECIPES[keys[name]]
    scores, golden = MEASURES[recipe.family](recipe, keys[name], places)
    record = json.loads((folder / "train.json").read_text(encoding="utf-8")) | {"scores": scores}
    write_json(folder / "train.json", record)
    write_json(folder / "golden.json", golden)
    write_card(folder, record)
    return scores
