"""Which files are read, and how text becomes documents and sentences."""

from __future__ import annotations

from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from app.pretraining.data.corpus import (
    LICENCES,
    NOT_RUNNING_TEXT,
    corpus_files,
    corpus_record,
    load_or_make,
    read_documents,
    split_sentences,
    stem,
    tokenise,
    training_files,
)
from tests.pretraining.toy import SHARED


def word_tokenizer(words: str) -> Tokenizer:
    """One id per word, counted from 0; unknown words are id 0."""
    made = Tokenizer(models.WordLevel({word: index for index, word in enumerate(words.split())}, unk_token="?"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    return made


def test_restricted_files_are_never_chosen(text_folder: Path) -> None:
    names = [path.name for path in corpus_files(text_folder, "en")]
    assert names == ["storybooks.txt.xz", "wikinews_1.txt.xz"]


def test_restricted_files_of_the_real_corpus_are_never_chosen() -> None:
    if not (SHARED / "corpus").is_dir():
        pytest.skip("no ../shared/corpus")
    files = corpus_files(SHARED / "corpus", "en")
    assert files
    assert not [path.name for path in files if path.name.startswith("r_")]
    assert {stem(path) for path in files} <= LICENCES.keys(), "a file without a licence would be shipped without credit"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_everyday_sentences_are_documents_and_nobody_is_asked_them(language: str, text_folder: Path) -> None:
    first, *others = training_files(text_folder, language, 2)[-2:]
    assert others == [first] and training_files(text_folder, language, 0) == corpus_files(text_folder, language)
    assert stem(first) in NOT_RUNNING_TEXT and [one["file"] for one in corpus_record([first, first])] == [first.name]
    sentences = [" ".join(document) for document in read_documents(first)]
    assert len(sentences) == len(set(sentences)) > 2_900
    folder = first.parents[1]
    asked = (folder / "evaluation" / f"opinions_{language}.tsv").read_text(encoding="utf-8")
    asked += (folder / "tabs" / "fill_mask.json").read_text(encoding="utf-8")
    assert not [sentence for sentence in sentences if sentence in asked]


@pytest.mark.parametrize(
    ("paragraph", "sentences"),
    [
        ("It rained. We left!", ["It rained.", "We left!"]),
        ("Mr. Smith met Dr. Jones. They spoke.", ["Mr. Smith met Dr. Jones.", "They spoke."]),
        ('"Who is it?" he asked. "Me."', ['"Who is it?" he asked.', '"Me."']),
        ("He said (quietly.) Then he left.", ["He said (quietly.)", "Then he left."]),
        ("J. F. Kennedy was shot in 1963. He was 46.", ["J. F. Kennedy was shot in 1963.", "He was 46."]),
        ("It costs 3.50 dollars. Cheap.", ["It costs 3.50 dollars.", "Cheap."]),
        ("no full stop at all", ["no full stop at all"]),
        ("今天下雨。我们走了！", ["今天下雨。", "我们走了！"]),
        ("", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(paragraph: str, sentences: list[str]) -> None:
    assert split_sentences(paragraph) == sentences


def test_empty_lines_part_documents(tmp_path: Path) -> None:
    path = tmp_path / "toy.txt"
    path.write_text("One. Two.\nThree.\n\n\nFour.\n", encoding="utf-8")
    assert list(read_documents(path)) == [["One.", "Two.", "Three."], ["Four."]]


def test_tokenised_text_keeps_its_sentences_and_documents(tmp_path: Path) -> None:
    path = tmp_path / "wordnet_glosses.txt"
    path.write_text("A b. C a b.\n\nB.\n", encoding="utf-8")
    corpus = tokenise([path], word_tokenizer("? A a b B C ."))
    assert corpus.documents == 2
    assert [corpus.sentence(index).tolist() for index in range(3)] == [[1, 3, 6], [5, 2, 3, 6], [4, 6]]
    assert corpus.document_starts.tolist() == [0, 2, 3]
    assert not corpus.running_text.any(), "glosses are no running text"


def test_tokenised_text_comes_back_from_the_cache(tmp_path: Path) -> None:
    path = tmp_path / "storybooks.txt"
    path.write_text("A b. B a.\n", encoding="utf-8")
    tokenizer, cache = word_tokenizer("? A a b B ."), tmp_path / "work" / "tokens.npz"
    first = load_or_make(cache, lambda: tokenise([path], tokenizer))
    path.write_text("B.\n", encoding="utf-8")
    again = load_or_make(cache, lambda: tokenise([path], tokenizer))
    assert again.ids.tolist() == first.ids.tolist() == [1, 3, 5, 4, 2, 5]
    assert again.running_text.tolist() == [True]
