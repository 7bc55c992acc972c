"""Static word vectors of the same text: one vector per word, whatever its context.

They know no context; set beside ELMo, they show what context adds.
"""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import torch

from app.models.static_vectors import StaticVectors
from app.pretraining.cards.model_card import write_card
from app.pretraining.co_occurrence import co_occurrences, leading_directions, positive_pmi
from app.pretraining.data.corpus import corpus_record, stem, training_files
from app.pretraining.data.spelt_words import SpeltWords, read_spelt_words, splitter, vocabulary
from app.pretraining.evaluation.inputs import write_json
from app.pretraining.recipes import Recipe

FAMILY = "static_vectors"


def make(recipe: Recipe, corpus_folder: Path, target: Path) -> StaticVectors:
    """Count, factorise, and write the bundle; takes some minutes.

    Args:
        recipe: `config` has `left_out` (sources of text not to read), `sources` (see `vocabulary`), `window`,
            `smoothing`, `dimensions` and `power` (see `co_occurrence`); `vocab_size` is how many of the most frequent
            words are kept.
        corpus_folder: folder with `en/*.txt.xz` and `zh/*.txt.xz`.
        target: the bundle's folder; created if missing.
    """
    started, left_out = time.process_time(), recipe.config["left_out"]
    files = training_files(corpus_folder, recipe.language, recipe.everyday_passes)
    files = [path for path in files if stem(path) not in left_out]
    text = read_spelt_words(files, splitter(recipe.language))
    words, vectors = count(text, recipe)
    StaticVectors(words, torch.from_numpy(vectors)).save_pretrained(target)
    record = {
        "recipe": asdict(recipe),
        "corpus": corpus_record(files),
        "words": len(text.ids),
        "hours": round((time.process_time() - started) / 3600, 2),
        "hardware": "1 thread of a CPU",
        "parameters": vectors.size,
        "trained_parameters": vectors.size,
    }
    write_json(target / "train.json", record)
    write_card(target, record)
    return StaticVectors.from_pretrained(target)


def count(text: SpeltWords, recipe: Recipe) -> tuple[list[str], np.ndarray]:
    """The words to keep and their vectors [word, dimension]."""
    numbers = recipe.config
    words, rows = vocabulary(text, recipe.vocab_size, numbers["sources"])
    counts = co_occurrences(rows[text.ids], text.lengths, len(words), numbers["window"])
    mutual = positive_pmi(counts, numbers["smoothing"])
    return words, leading_directions(mutual, numbers["dimensions"], numbers["power"], recipe.seed)


def load(folder: Path) -> tuple[StaticVectors, None]:
    """The bundle. It is its own tokenizer."""
    return StaticVectors.from_pretrained(folder), None
