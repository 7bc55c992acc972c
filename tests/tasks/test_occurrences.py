"""Finding a word: every occurrence, exact offsets, not within another word, labels, limits."""

from __future__ import annotations

import pytest

from app.errors import PlaygroundError
from app.tasks.word_sense.inflections import other_forms
from app.tasks.word_sense.occurrences import check_sentences, check_word, find_occurrences


def places(sentences: list[str], word: str) -> list[tuple[int, int, str]]:
    """(sentence, start, word as it stands there)."""
    found = find_occurrences(check_sentences(sentences), check_word(word))
    for occurrence in found:
        assert sentences[occurrence.sentence][occurrence.start : occurrence.end] == occurrence.text
    return [(occurrence.sentence, occurrence.start, occurrence.text) for occurrence in found]


@pytest.mark.parametrize("asked", ["don't", "don’t"])
def test_either_apostrophe_is_the_same_word(asked: str) -> None:
    assert places(["don't go", "I don’t know"], asked) == [(0, 0, "don't"), (1, 2, "don’t")]


@pytest.mark.parametrize(
    ("sentences", "word", "expected"),
    [
        (["Bank holidays? The bank, closed."], "bank", [(0, 0, "Bank"), (0, 19, "bank")]),
        (["start art ART. art's party"], "art", [(0, 6, "art"), (0, 10, "ART"), (0, 15, "art")]),
        (["😀 cat 👨‍👩‍👧 cat"], "cat", [(0, 2, "cat"), (0, 12, "cat")]),
        (["我爱吃苹果树上的苹果。", "没有", "苹果"], "苹果", [(0, 3, "苹果"), (0, 8, "苹果"), (2, 0, "苹果")]),
        (["e\u0301t r\u00e9"], "\u00c9t", [(0, 0, "e\u0301t")]),
        (["e\u0301 e"], "e", [(0, 3, "e")]),
        (["New   York, new\nyork"], " new york, ", [(0, 0, "New   York"), (0, 12, "new\nyork")]),
        (["STRASSE straße"], "straße", [(0, 0, "STRASSE"), (0, 8, "straße")]),
        (["用iPhone手机"], "iphone", [(0, 1, "iPhone")]),
        (["a.b a+b"], "a+b", [(0, 4, "a+b")]),
        (["so... so"], "...", [(0, 2, "...")]),
        (["", "  ", "the bank"], "bank", [(2, 4, "bank")]),
        (["_bank_ bank2 bank"], "bank", [(0, 13, "bank")]),
    ],
)  # fmt: skip
def test_places(sentences: list[str], word: str, expected: list[tuple[int, int, str]]) -> None:
    assert places(sentences, word) == expected


@pytest.mark.parametrize(
    ("given", "sense", "start"),
    [
        ("river | On the bank", "river", 8),
        ("  money|the bank", "money", 8),
        ("水果｜苹果", "水果", 3),
        ("a | b | bank", "a", 4),
        ("no label bank", None, 0),
        ("| bank", None, 0),
        ("bank |", None, 0),
        ("x" * 61 + " | bank", None, 0),
    ],
)
def test_labels(given: str, sense: str | None, start: int) -> None:
    (sentence,) = check_sentences([given])
    assert (sentence.sense, sentence.start, sentence.text) == (sense, start, given[start:])


def test_a_word_in_the_label_is_no_occurrence() -> None:
    assert places(["bank | the bank"], "bank") == [(0, 11, "bank")]


@pytest.mark.parametrize(
    ("sentences", "word", "code"),
    [
        (["The river."], "bank", "word_not_found"),
        (["bank"] * 101, "bank", "bad_value"),
        (["bank"], "x" * 300, "bad_value"),
        (["bank"], " ", "empty_text"),
        (["", " \n"], "bank", "empty_text"),
        ([], "bank", "empty_text"),
        ("bank", "bank", "bad_value"),
        (None, "bank", "bad_value"),
        ([1], "bank", "bad_value"),
        (["bank"], None, "bad_value"),
        (["bank " * 5_000], "bank", "too_long"),
        (["bank " * 401], "bank", "too_long"),
    ],
)
def test_refusals(sentences: object, word: object, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        find_occurrences(check_sentences(sentences), check_word(word))
    assert caught.value.code == code


def test_a_hundred_sentences_and_empty_lines_are_taken() -> None:
    assert len(places(["bank", ""] * 100, "bank")) == 100


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("play", {"plays", "played", "playing"}),
        ("mice", {"mouse"}),
        ("Spring", {"springs", "sprang", "sprung"}),
        ("苹果", set()),
        ("a+b", set()),
    ],
)
def test_other_forms(word: str, forms: set[str]) -> None:
    found = set(other_forms(word))
    assert forms <= found and word.lower() not in found and (forms or not found)
