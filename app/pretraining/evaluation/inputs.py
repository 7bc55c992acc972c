"""Where an evaluation finds its texts, and what it need not count twice."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from transformers import PreTrainedTokenizerFast

from app.pretraining.data.corpus import Corpus, load_or_make, training_files
from app.pretraining.families import family_of
from app.pretraining.recipes import Recipe
from app.training.bundled.card import write_json


@dataclass(frozen=True)
class Places:
    """The folders an evaluation reads."""

    corpus: Path  # with `en/` and `valid/`
    evaluation: Path  # with `nsp_sop/pairs.tsv`, `blimp/`
    work: Path  # where the tokenised training text is kept
    models: Path


def training_text(recipe: Recipe, key: str, places: Places, tokenizer: PreTrainedTokenizerFast) -> Corpus:
    """What the recipe was trained on, in its own pieces; made anew where the run's folder is not there."""
    files = training_files(places.corpus, recipe.language, recipe.everyday_passes)
    return load_or_make(places.work / key / "tokens.npz", lambda: family_of(recipe).tokenise(files, tokenizer))


def kept(cache: Path, stamp: str, make: Callable[[], dict]) -> dict:
    """What `make` makes, from `cache` while `stamp` stays the same."""
    if cache.exists() and (found := json.loads(cache.read_text(encoding="utf-8")))["stamp"] == stamp:
        return found["scores"]
    scores = make()
    write_json(cache, {"stamp": stamp, "scores": scores})
    return scores
