"""Trains the vocabularies of the bundled checkpoints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tokenizers import BertWordPieceTokenizer
from transformers import BertTokenizerFast, PreTrainedTokenizerFast

from app.pretraining.corpus import read_documents


def _sentences(files: list[Path]) -> Iterator[str]:
    for path in files:
        for document in read_documents(path):
            yield from document


def train_wordpiece(files: list[Path], vocab_size: int) -> PreTrainedTokenizerFast:
    """An uncased WordPiece vocabulary, accents stripped, as in BERT's uncased checkpoints."""
    trained = BertWordPieceTokenizer(lowercase=True)
    trained.train_from_iterator(_sentences(files), vocab_size=vocab_size, min_frequency=5, limit_alphabet=400)
    return BertTokenizerFast(vocab=trained.get_vocab(), do_lower_case=True)
