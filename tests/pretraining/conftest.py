"""A toy world: a small tokenised corpus, and a folder of text files."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from app.pretraining.data.corpus import Corpus
from tests.pretraining.toy import toy_corpus


@pytest.fixture
def corpus() -> Corpus:
    """The toy corpus."""
    return toy_corpus()


@pytest.fixture
def text_folder(tmp_path: Path) -> Path:
    """A corpus folder with two files that may be used and one that may not."""
    animals, verbs = ("dog", "cat", "bird", "fish", "horse"), ("sees", "hears", "likes", "follows")
    places = ("house", "garden", "river", "hill")
    folder = tmp_path / "corpus"
    (folder / "en").mkdir(parents=True)
    rng = np.random.default_rng(1)
    for name in ("storybooks", "wikinews_1", "r_bbc_news"):
        documents = []
        for _ in range(30):
            animal, place = rng.choice(animals), rng.choice(places)
            lines = [f"The {animal} {rng.choice(verbs)} the {rng.choice(animals)} at the {place}." for _ in range(8)]
            documents.append(" ".join(lines))
        with lzma.open(folder / "en" / f"{name}.txt.xz", "wt", encoding="utf-8") as opened:
            opened.write("\n\n".join(documents))
    return folder
