"""Where an evaluation finds its texts, and a cache for its counts."""

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
    """The recipe's training text in its own pieces; tokenised anew if the run's folder is gone."""
    files = training_files(places.corpus, recipe.language, recipe.everyday_passes)
    return load_or_make(places.work / key / "tokens.npz", lambda: family_of(recipe).tokenise(files, tokenizer))


def kept(cache: Path, stamp: str, make: Callable[[], dict]) -> dict:
    """The result of `make`, taken from `cache` while `stamp` is unchanged."""
    if cache.exists() and (found := json.loads(cache.read_text(encoding="utf-8")))["stamp"] == stamp:
        return found["scores"]
    scores = make()
    write_json(cache, {"stamp": stamp, "scores": scores})
    return scores
