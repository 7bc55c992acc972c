"""How often a model finds a hidden piece of the validation text: BERT's selection, fixed and the same for all rankers.

Knows arrays and a function that ranks pieces, be it a network or counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from app.pretraining.data.corpus import read_documents
from app.pretraining.data.special_ids import SpecialIds
from app.pretraining.objectives.masking import mask_tokens

SEED = 2018
LONGEST = 128  # pieces in a segment, including [CLS] and [SEP]


@dataclass(frozen=True)
class Segment:
    """One stretch of a document with its hidden pieces."""

    file: str
    input_ids: np.ndarray  # int64 [token], after masking
    chosen: np.ndarray  # int64 [masked], positions
    labels: np.ndarray  # int64 [masked]


@dataclass(frozen=True)
class Accuracy:
    """Shares of hidden pieces that were the first answer, or among the first five."""

    top_1: float
    top_5: float
    pieces: int


# Maps segments to the five likeliest pieces at each hidden position, best first: int64 [all masked, 5].
Ranker = Callable[[list[Segment]], np.ndarray]


def segments_of(file: Path, tokenizer: Tokenizer, special: SpecialIds, rng: np.random.Generator) -> Iterator[Segment]:
    """The file's documents as masked segments of as many whole sentences as fit; a longer sentence is cut."""
    for document in read_documents(file):
        for ids in _filled([encoding.ids for encoding in tokenizer.encode_batch(document, add_special_tokens=False)]):
            whole = np.array([special.cls, *ids, special.sep], dtype=np.int64)
            masked, chosen = mask_tokens(whole, special, rng)
            yield Segment(file.stem, masked, chosen, whole[chosen])


def _filled(sentences: list[list[int]]) -> Iterator[list[int]]:
    room, filled = LONGEST - 2, []
    for sentence in sentences:
        if filled and len(filled) + len(sentence) > room:
            yield filled
            filled = []
        filled = (filled + sentence)[:room]
    if filled:
        yield filled


def validation_segments(folder: Path, language: str, tokenizer: Tokenizer, special: SpecialIds) -> list[Segment]:
    """All validation segments of a language, including restricted files, which are only read, never learnt from."""
    rng = np.random.default_rng(SEED)
    files = sorted(folder.glob(f"{language}_*.txt"))
    return [segment for file in files for segment in segments_of(file, tokenizer, special, rng)]


def accuracy(ranked: np.ndarray, labels: np.ndarray) -> Accuracy:
    """Top-1 and top-5 of ranked pieces [masked, 5] against the labels [masked]."""
    hits = ranked == labels[:, None]
    return Accuracy(float(hits[:, 0].mean()), float(hits.any(axis=1).mean()), len(labels))


def accuracy_by_file(segments: list[Segment], rank: Ranker) -> dict[str, Accuracy]:
    """The accuracy overall (key `all`) and for each file."""
    ranked, labels = rank(segments), np.concatenate([segment.labels for segment in segments])
    files = np.concatenate([np.full(len(segment.labels), segment.file) for segment in segments])
    by_file = {str(file): accuracy(ranked[files == file], labels[files == file]) for file in np.unique(files)}
    return {"all": accuracy(ranked, labels)} | by_file
