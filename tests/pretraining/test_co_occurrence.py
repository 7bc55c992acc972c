"""Word vectors by counting: counts, mutual information and directions against the plain formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from app.pretraining import co_occurrence
from app.pretraining.co_occurrence import co_occurrences, leading_directions, positive_pmi
from app.pretraining.data.spelt_words import read_spelt_words, splitter, vocabulary


@pytest.mark.parametrize("chunk", [3, 1_000])
def test_counts_are_those_of_two_loops(chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(co_occurrence, "CHUNK", chunk)
    rng = np.random.default_rng(0)
    lengths, size, window = np.array([7, 1, 0, 12]), 5, 3
    rows = rng.integers(-1, size, lengths.sum())
    expected, start = np.zeros((size, size)), 0
    for length in lengths:
        sentence = rows[start : start + length]
        for i, word in enumerate(sentence):
            for j in range(max(0, i - window), min(length, i + window + 1)):
                if i != j and word >= 0 and sentence[j] >= 0:
                    expected[word, sentence[j]] += (window - abs(i - j) + 1) / window
        start += length
    assert co_occurrences(rows, lengths, size, window).toarray() == pytest.approx(expected)


def test_mutual_information_is_positive_and_smoothed() -> None:
    counts = np.array([[0.0, 8.0, 1.0], [8.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    contexts = counts.sum(axis=0) ** 0.75
    chance = counts.sum(axis=1)[:, None] * (contexts / contexts.sum())
    with np.errstate(divide="ignore"):
        expected = np.maximum(np.log(counts / chance), 0)
    assert positive_pmi(csr_matrix(counts), 0.75).toarray() == pytest.approx(expected, abs=1e-6)


def test_directions_are_those_of_the_whole_decomposition() -> None:
    matrix = np.random.default_rng(0).random((30, 30))
    matrix += matrix.T
    left, values, _ = np.linalg.svd(matrix)
    made = leading_directions(csr_matrix(matrix), 4, 0.5, seed=1)
    assert np.abs(made) == pytest.approx(np.abs(left[:, :4] * values[:4] ** 0.5), abs=1e-2), "but for their signs"


def test_a_word_is_listed_once_as_it_is_mostly_written(tmp_path) -> None:
    (tmp_path / "text.txt").write_text(
        "The cat saw Paris.\n\nThe PARIS of the north, in 1999.\n\nIn Paris the cat slept.\n", encoding="utf-8"
    )
    text = read_spelt_words([tmp_path / "text.txt"], splitter("en"))
    words, rows = vocabulary(text, 3, 1)
    assert words == ["the", "Paris", "cat"], "numbers and signs are no words"
    spelt = {spelling: words[row] if row >= 0 else None for spelling, row in zip(text.spellings, rows, strict=True)}
    assert spelt["The"] == spelt["the"] == "the" and spelt["PARIS"] == "Paris" and spelt["1999"] is None


def test_words_of_one_source_alone_may_be_left_out(tmp_path) -> None:
    for name, said in (("novels", "Heathcliff saw a cat."), ("wikinews_1", "A cat."), ("wikinews_2", "Reuters saw.")):
        (tmp_path / f"{name}.txt").write_text(said, encoding="utf-8")
    text = read_spelt_words(sorted(tmp_path.iterdir()), splitter("en"))
    assert set(vocabulary(text, 9, 2)[0]) == {"saw", "a", "cat"}, "Reuters is in two files of one source"
    assert {"Heathcliff", "Reuters"} < {word.capitalize() for word in vocabulary(text, 9, 1)[0]}


@pytest.mark.slow
def test_chinese_is_cut_into_words() -> None:
    pytest.importorskip("jieba", reason="jieba is a development requirement")
    assert splitter("zh")("我喜欢北京大学。") == ["我", "喜欢", "北京大学", "。"]
