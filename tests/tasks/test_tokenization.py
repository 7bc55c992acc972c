"""Tokens and their offsets: equal to transformers' own, and right for emoji, accents and bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import PlaygroundError
from app.tasks.surprise.score import score
from app.tasks.tokenization.tokenize import changes_letters, list_models, tokenize

ALL = ["bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2"]
FAMILY = "👨‍👩‍👧"


@pytest.mark.parametrize("name", ALL)
def test_ids_equal_the_tokenizer_of_transformers(published: Path, name: str) -> None:
    from transformers import AutoTokenizer

    peer = AutoTokenizer.from_pretrained(published / name)
    for text in (
        "Hello world, it's 1999!",
        "Résumé naïve ÜBER",
        f"😀 cat {FAMILY} dog",
        "今天天气很好。",
        "  two  spaces ",
    ):
        assert [token.token_id for token in tokenize(text, name).tokens] == peer(text).input_ids


@pytest.mark.parametrize("name", ALL)
def test_words_after_emoji_are_marked_exactly(published: Path, name: str) -> None:
    text = f"😀 cat {FAMILY} dog"
    marked = [text[token.start : token.end] for token in tokenize(text, name).tokens if token.start is not None]
    assert "cat" in marked and "dog" in marked


@pytest.mark.parametrize("name", ALL)
def test_nothing_is_shown_as_a_replacement_sign(published: Path, name: str) -> None:
    for token in tokenize("😀 你好 naïve 👍🏽", name).tokens:
        assert "�" not in token.token


def test_parts_of_a_character_are_shown_as_bytes(published: Path) -> None:
    assert [token.token for token in tokenize("😀", "gpt2").tokens] == ["⟨F0 9F 98⟩", "⟨80⟩"]


def test_uncased_models_read_small_letters_without_accents(published: Path) -> None:
    shown = [token.token for token in tokenize("Résumé naïve ÜBER", "bert-base-uncased").tokens]
    assert shown == ["[CLS]", "resume", "naive", "uber", "[SEP]"]
    assert [t.token for t in tokenize("resume", "bert-base-uncased").tokens] == [
        t.token for t in tokenize("RÉSUMÉ", "bert-base-uncased").tokens
    ]
    assert changes_letters("Résumé", "bert-base-uncased") and not changes_letters("resume", "bert-base-uncased")


def test_unknown_signs_are_unk(published: Path) -> None:
    assert [token.token for token in tokenize("👍🏽", "bert-base-uncased").tokens] == ["[CLS]", "[UNK]", "[SEP]"]


def test_a_leading_space_is_kept_as_a_space(published: Path) -> None:
    assert [token.token for token in tokenize("the cat", "gpt2").tokens] == ["the", " cat"]


def test_known_ids_of_the_published_vocabularies(published: Path) -> None:
    assert tokenize("hello", "bert-base-uncased").tokens[1].token_id == 7592
    assert [token.token_id for token in tokenize("Hello world", "roberta-base").tokens] == [0, 31414, 232, 2]


@pytest.mark.parametrize("name", ALL)
def test_lone_surrogates_and_nul_do_no_harm(published: Path, name: str) -> None:
    assert tokenize("a\ud800b\x00c", name).tokens


def test_the_catalog_is_listed(tiny: Path) -> None:
    entries = {entry.name: entry for entry in list_models()}
    assert entries["bert-mini"].source == "bundled" and entries["bert-mini"].status == "ready"
    assert entries["distilgpt2"].status == "not downloaded"
    score("a dog", "gpt2")
    assert {entry.name: entry.status for entry in list_models()}["gpt2"] == "loaded"
    assert all("fill_mask" in entry.tasks for entry in list_models("fill_mask"))
    with pytest.raises(PlaygroundError):
        list_models("no_such_task")
