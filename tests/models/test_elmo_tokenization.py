"""From words to byte ids, from text to words, from words to vocabulary ids."""

from pathlib import Path

import pytest

from app.models.elmo import ElmoTokenizer, split_words

VOCABULARY = ["<S>", "</S>", "<UNK>", "the", "cat", "sat"]


def row(*ids: int) -> list[int]:
    """A whole row of 50 ids: these, then padding."""
    return [*ids, *[261] * (50 - len(ids))]


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("hi", row(259, 105, 106, 260)),
        ("é", row(259, 196, 170, 260)),
        ("Second", row(259, 84, 102, 100, 112, 111, 101, 260)),
        ("\u0100t", row(259, 197, 129, 117, 260)),
        ("", row(259, 260)),
        ("\ud800", row(259, 260)),  # half of a pair has no bytes
        ("<S>", row(259, 61, 84, 63, 260)),
        ("a" * 60, row(259, *[98] * 48, 260)),
        ("a" * 300, row(259, *[98] * 48, 260)),
        ("ä" * 30, row(259, *[196, 165] * 24, 260)),
        ("x" + "ä" * 30, row(259, 121, *[196, 165] * 23, 196, 260)),  # cut within a character
    ],
)
def test_ids_of_a_word(tokenizer: ElmoTokenizer, word: str, ids: list[int]) -> None:
    assert tokenizer.character_ids(word) == ids


def test_marks_are_put_around_every_sentence_once(tokenizer: ElmoTokenizer) -> None:
    batch = tokenizer([["hi", "é"], []])
    begin, end, nothing = row(259, 257, 260), row(259, 258, 260), [0] * 50
    hi, e = tokenizer.character_ids("hi"), tokenizer.character_ids("é")
    assert batch["input_ids"].tolist() == [[begin, hi, e, end], [begin, end, nothing, nothing]]
    assert batch["attention_mask"].tolist() == [[1, 1, 1, 1], [1, 1, 0, 0]]


def test_marks_within_the_text_only_if_asked() -> None:
    assert ElmoTokenizer(recognize_boundaries=True).character_ids("<S>") == row(259, 257, 260)
    assert ElmoTokenizer(recognize_boundaries=True).character_ids("</S>") == row(259, 258, 260)
    assert ElmoTokenizer(recognize_boundaries=True).character_ids("<s>") == ElmoTokenizer().character_ids("<s>")


@pytest.mark.parametrize("wrong", ["I am here.", ["I am here."], ["I", "am"], [["I", 3]], [["I"], "am"]])
def test_a_string_is_no_list_of_words(tokenizer: ElmoTokenizer, wrong: object) -> None:
    with pytest.raises(TypeError, match="split_words"):
        tokenizer(wrong)


def test_no_sentence_is_refused(tokenizer: ElmoTokenizer) -> None:
    with pytest.raises(ValueError, match="at least one sentence"):
        tokenizer([])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("New York, 1999!", "New|York|,|1999|!"),
        ("I am here.", "I|am|here|."),
        (
            "The well-known U.S. bank's fee: $1,000.50 -- or 6-3...",
            "The|well-known|U.S.|bank|'s|fee|:|$|1,000.50|--|or|6-3|...",
        ),
        ("Don't, O'Brien. She’ll", "Don|'t|,|O'Brien|.|She|’ll"),
        ("'quoted' (a_b)", "'|quoted|'|(|a|_|b|)"),
        ("我爱New York。", "我|爱|New|York|。"),
        ("Zürich cafe\u0301 3€", "Zürich|cafe\u0301|3|€"),
        ("हिन्दी 한국어 👩‍👧 🇩🇪", "हिन्दी|한국어|👩‍👧|🇩🇪"),
        ("a\u200b\tb\n\x00", "a|b"),
        ("12:30, e.g. at 5.", "12:30|,|e.g.|at|5|."),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_split(text: str, words: str) -> None:
    assert [word.text for word in split_words(text)] == [word for word in words.split("|") if word]


def test_split_keeps_offsets_and_loses_nothing() -> None:
    text = "  New York, 1999!  我爱 don't\tstop… «Ça va?» 10-year 👍🏽"
    words = split_words(text)
    assert all(text[word.start : word.end] == word.text for word in words)
    assert "".join(word.text for word in words) == "".join(text.split())


def test_labels(tmp_path: Path) -> None:
    tokenizer = ElmoTokenizer(VOCABULARY)
    batch = tokenizer([["the", "cat", "sat"], ["The", "<S>"]], return_labels=True)
    assert batch["labels"].tolist() == [[0, 3, 4, 5, 1], [0, 2, 2, 1, -100]]
    with pytest.raises(ValueError, match="has none"):
        ElmoTokenizer()([["the"]], return_labels=True)


@pytest.mark.parametrize("vocabulary", [None, [*VOCABULARY, "l\u2028ine", "ümlaut", "\x85"]])
def test_round_trip(tmp_path: Path, vocabulary: list[str] | None) -> None:
    ElmoTokenizer(vocabulary, max_characters_per_token=20, recognize_boundaries=True).save_pretrained(tmp_path)
    loaded = ElmoTokenizer.from_pretrained(tmp_path)
    assert loaded.vocabulary == vocabulary
    assert len(loaded.character_ids("a" * 99)) == 20
    assert loaded.character_ids("<S>")[1] == 257
