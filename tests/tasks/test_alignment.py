"""Several tokenizers over the same text: whole characters, nothing broken, nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import PlaygroundError
from app.results.attention import Piece
from app.tasks.tokenization.alignment import ELMO_BYTES, align, cut, group

MODELS = ["bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2", ELMO_BYTES]
TEXTS = [
    "😀 cat 👨‍👩‍👧 dog",
    "Résumé naïve ÜBER playing 👍🏽",
    "今天天气很好 hi\n\n  x [MASK] é́",
    "hacía [SEP] a\u200bb </s>",
    "\ud800 lone",
]


def piece(shown: str) -> Piece:
    return Piece(shown, shown, 1, False)


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("text", TEXTS)
def test_groups_are_whole_characters_in_order_and_blocks_cover_the_text(text: str) -> None:
    alignment = align(text, [cut(text, model) for model in MODELS])
    assert alignment.blocks[0][0] == 0
    assert alignment.blocks[-1][1] == len(text)
    assert all(before[1] == after[0] for before, after in zip(alignment.blocks, alignment.blocks[1:], strict=False))
    for row in alignment.rows:
        ends = [0, *(one.end for one in row.groups)]
        assert all(one.start >= end for one, end in zip(row.groups, ends, strict=False))
        assert sum(len(one.pieces) for one in row.groups) == row.pieces
        for one in row.groups:  # every group lies within one block
            assert any(start <= one.start and one.end <= end for start, end in alignment.blocks)


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("model", ["roberta-base", "gpt2"])
def test_bytes_of_an_emoji_stand_together_and_words_behind_it_are_exact(model: str) -> None:
    text = "😀 cat 👨‍👩‍👧 dog"
    cuts = {text[one.start : one.end]: len(one.pieces) for one in cut(text, model).groups}
    assert cuts == {"😀": 2, "cat": 1, "👨‍👩‍👧": 10, "dog": 1}


@pytest.mark.usefixtures("published")
def test_uncased_models_say_what_they_read_instead_and_mark_what_they_do_not_know() -> None:
    row = cut("Résumé naïve ÜBER 👍🏽", "bert-base-uncased")
    assert row.changes == [("Résumé", "resume"), ("naïve", "naive"), ("ÜBER", "uber")]
    assert row.unknown == 1
    assert row.added == ["[CLS]", "[SEP]"]
    assert row.vocabulary_size == 30_522
    assert cut("Résumé ÜBER", "roberta-base").changes == []


@pytest.mark.usefixtures("published")
def test_vocabulary_sizes_and_kinds() -> None:
    rows = [cut("hello", model) for model in MODELS]
    assert [(row.kind, row.vocabulary_size) for row in rows] == [
        ("wordpiece", 30_522),
        ("byte_bpe", 50_265),
        ("sentencepiece", 30_000),
        ("byte_bpe", 50_257),
        ("bytes", 262),
    ]


def test_elmo_reads_bytes_between_two_marks() -> None:
    row = cut("hi é", ELMO_BYTES)
    assert [one.pieces[0].raw for one in row.groups] == ["259 105 106 260", "259 196 170 260"]


def test_a_piece_without_characters_joins_the_next_one() -> None:
    groups = group("ab", [(0, 0, piece("▁")), (0, 1, piece("a")), (1, 2, piece("b")), (2, 2, piece("end"))])
    assert [(one.start, one.end, [p.shown for p in one.pieces]) for one in groups] == [
        (0, 1, ["▁", "a"]),
        (1, 2, ["b", "end"]),
    ]


@pytest.mark.parametrize(("text", "code"), [("  ", "empty_text"), (None, "bad_value"), ("x" * 20_001, "too_long")])
def test_bad_text_is_refused(text: object, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        cut(text, ELMO_BYTES)
    assert caught.value.code == code


def test_a_tokenizer_is_loaded_without_the_weights(published: Path) -> None:
    from app.engine.runtime.loader import loader

    cut("hello", "gpt2")
    assert loader().names() == []
