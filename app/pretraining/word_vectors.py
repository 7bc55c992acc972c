"""Static word vectors of the same text: skip-gram (Mikolov et al. 2013, arXiv 1310.4546), by gensim.

Words are written small: a visitor's "Dog" and "dog" are one word. What is made here knows no context; it stands beside
ELMo to show what context brings.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import torch

from app.models.elmo.tokenization import WORD
from app.models.static_vectors import StaticVectors
from app.pretraining.cards.model_card import write_card
from app.pretraining.data.corpus import corpus_files, corpus_record, read_documents
from app.pretraining.data.words import by_frequency
from app.pretraining.evaluation.inputs import write_json
from app.pretraining.recipes import Recipe

FAMILY = "static_vectors"


def write_words(files: list[Path], target: Path) -> Counter[str]:
    """Write the text as small words parted by spaces, one sentence a line; how often each word occurs."""
    counts: Counter[str] = Counter()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.with_suffix(".new").open("w", encoding="utf-8") as opened:
        for path in files:
            for document in read_documents(path):
                for sentence in document:
                    words = WORD.findall(sentence.lower())
                    counts.update(words)
                    opened.write(" ".join(words) + "\n")
    target.with_suffix(".new").replace(target)
    return counts


def make(recipe: Recipe, corpus_folder: Path, work: Path, target: Path) -> StaticVectors:
    """Count, train, and write the bundle; some minutes.

    Args:
        recipe: `config` holds gensim's arguments, `vocab_size` how many of the most frequent words are kept.
        corpus_folder: folder with `en/*.txt.xz`.
        work: folder of this run, for the text as gensim reads it fastest.
        target: the bundle's folder; made if need be.
    """
    # Only here: gensim takes a second to import.
    from gensim.models import Word2Vec

    started, files = time.process_time(), corpus_files(corpus_folder, recipe.language)
    counts = write_words(files, work / "words.txt")
    trained = Word2Vec(corpus_file=str(work / "words.txt"), workers=1, seed=recipe.seed, **recipe.config).wv
    kept = [word for word in by_frequency(counts) if word in trained][: recipe.vocab_size]
    made = StaticVectors(kept, torch.from_numpy(trained[kept]))
    made.save_pretrained(target)
    record = {
        "recipe": asdict(recipe),
        "corpus": corpus_record(files),
        "words": counts.total(),
        "hours": round((time.process_time() - started) / 3600, 2),
        "hardware": "1 thread of a CPU",
        "parameters": made.vectors.numel(),
        "trained_parameters": made.vectors.numel(),
    }
    write_json(target / "train.json", record)
    write_card(target, record)
    return made


def load(folder: Path) -> tuple[StaticVectors, None]:
    """The bundle. It is its own tokenizer."""
    return StaticVectors.from_pretrained(folder), None
