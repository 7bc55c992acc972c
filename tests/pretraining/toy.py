"""A toy corpus whose pieces show their document and sentence, and the folders of the tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.pretraining.data.corpus import Corpus
from app.pretraining.data.special_ids import SpecialIds

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
MODELS = ROOT / "assets" / "models"
SPECIAL = SpecialIds(cls=2, sep=3, mask=4, pad=0, vocab_size=30_000)
FIRST_PIECE = 5


def toy_corpus(documents: int = 40, sentences: int = 12, *, longest: int = 20, seed: int = 0) -> Corpus:
    """Documents whose sentence number n of all holds only the piece n + FIRST_PIECE: a piece tells its place."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(4, longest, documents * sentences)
    ids = np.repeat(np.arange(documents * sentences) + FIRST_PIECE, lengths).astype(np.uint16)
    sentence_starts = np.concatenate([[0], np.cumsum(lengths)])
    document_starts = np.arange(documents + 1) * sentences
    return Corpus(ids, sentence_starts, document_starts, np.ones(documents, dtype=bool))
