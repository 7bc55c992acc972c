"""Trains the vocabularies of the bundled checkpoints."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tokenizers import BertWordPieceTokenizer, ByteLevelBPETokenizer
from tokenizers.trainers import UnigramTrainer
from transformers import AlbertTokenizerFast, BertTokenizerFast, GPT2TokenizerFast, PreTrainedTokenizerFast

from app.pretraining.corpus import read_documents, read_paragraphs


def _sentences(files: list[Path]) -> Iterator[str]:
    for path in files:
        for document in read_documents(path):
            yield from document


def train_wordpiece(files: list[Path], vocab_size: int) -> PreTrainedTokenizerFast:
    """An uncased WordPiece vocabulary, accents stripped, as in BERT's uncased checkpoints."""
    trained = BertWordPieceTokenizer(lowercase=True)
    trained.train_from_iterator(_sentences(files), vocab_size=vocab_size, min_frequency=5, limit_alphabet=400)
    return BertTokenizerFast(vocab=trained.get_vocab(), do_lower_case=True)


def train_unigram(files: list[Path], vocab_size: int) -> PreTrainedTokenizerFast:
    """An uncased unigram vocabulary (the model of SentencePiece), cut into words as ALBERT does."""
    empty = AlbertTokenizerFast()
    special = [empty.pad_token, empty.unk_token, empty.cls_token, empty.sep_token, empty.mask_token]
    trainer = UnigramTrainer(
        vocab_size=vocab_size, special_tokens=special, unk_token=empty.unk_token, show_progress=False
    )
    empty.backend_tokenizer.train_from_iterator(_sentences(files), trainer)
    scores = json.loads(empty.backend_tokenizer.to_str())["model"]["vocab"]
    return AlbertTokenizerFast(vocab=[(piece, score) for piece, score in scores])


def train_byte_pairs(files: list[Path], vocab_size: int) -> PreTrainedTokenizerFast:
    """A cased byte-level BPE vocabulary, as GPT-2's: any text can be written with it, nothing is unknown."""
    end = GPT2TokenizerFast().eos_token
    trained = ByteLevelBPETokenizer()
    paragraphs = (paragraph for path in files for document in read_paragraphs(path) for paragraph in document)
    trained.train_from_iterator(
        paragraphs, vocab_size=vocab_size, min_frequency=5, special_tokens=[end], show_progress=False
    )
    model = json.loads(trained.to_str())["model"]
    return GPT2TokenizerFast(vocab=model["vocab"], merges=[tuple(pair) for pair in model["merges"]])
