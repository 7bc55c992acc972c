"""Curly quotes, dashes and ellipses, as phones write, are in every vocabulary made here, with correct offsets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from transformers import PreTrainedTokenizerFast

from app.engine.runtime.vocabulary import load_vocabulary
from app.pretraining.data.tokenizers import read_tokenizer, train_unigram, train_wordpiece
from app.registry.checkpoint_rows import CATALOG

TYPED = "“It’s a ‘test’ – or — so… he said.”"
PLAIN = "\"It's a 'test' - or — so... he said.\""
OURS = [one for one in CATALOG if "tokenize" in one.tasks and one.source == "bundled"]


@pytest.mark.parametrize("checkpoint", OURS, ids=lambda checkpoint: checkpoint.name)
def test_nothing_that_a_phone_writes_is_unknown(checkpoint: object) -> None:
    tokenizer = load_vocabulary(checkpoint).text
    encoded = tokenizer.encode(TYPED)
    assert tokenizer.unknown_id not in [
        token_id for token_id, at in zip(encoded.input_ids, encoded.offsets, strict=True) if at is not None
    ]
    assert tokenizer.lost(TYPED, encoded) == []


@pytest.mark.parametrize("name", ["bert-mini", "albert-mini", "bert-mini-sst2"])
def test_it_is_read_as_the_plain_signs_and_lies_where_it_was_typed(name: str) -> None:
    tokenizer = load_vocabulary(next(one for one in CATALOG if one.name == name)).text
    typed, plain = tokenizer.encode(TYPED), tokenizer.encode(PLAIN)
    assert typed.input_ids == plain.input_ids
    seen = "".join(TYPED[at[0] : at[1]] for at in dict.fromkeys(typed.offsets) if at is not None)
    assert seen == TYPED.replace(" ", "")


@pytest.mark.parametrize("train", [train_wordpiece, train_unigram])
def test_a_new_vocabulary_is_made_so_and_stays_so(
    train: Callable[[list[Path], int], PreTrainedTokenizerFast], tmp_path: Path
) -> None:
    corpus = tmp_path / "text.txt"
    corpus.write_text(f"{PLAIN}\n" * 50, encoding="utf-8")
    made = train([corpus], 120)
    made.save_pretrained(tmp_path / "made")
    for tokenizer in (made, read_tokenizer(tmp_path / "made")):
        ids = tokenizer(TYPED)["input_ids"]
        assert ids == tokenizer(PLAIN)["input_ids"] and tokenizer.unk_token_id not in ids
