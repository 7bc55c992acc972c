"""The evaluation's arithmetic against cases small enough to count by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.pretraining.data.corpus import Corpus
from app.pretraining.data.special_ids import SpecialIds
from app.pretraining.evaluation.baselines import (
    CountingRivals,
    TopicOverlap,
    count_followers,
    document_rarity,
    fit_topic_overlap,
    smoothed,
    training_pairs,
)
from app.pretraining.evaluation.masked import read_pairs
from app.pretraining.evaluation.masked_scores import Segment, accuracy, accuracy_by_file, validation_segments
from tests.pretraining.test_corpus import word_tokenizer
from tests.pretraining.toy import FIRST_PIECE, toy_corpus

MASK = 9


def flat_corpus(*documents: list[list[int]]) -> Corpus:
    """Documents of sentences of ids."""
    sentences = [sentence for document in documents for sentence in document]
    return Corpus(
        np.concatenate(sentences).astype(np.uint16),
        np.cumsum([0, *map(len, sentences)]),
        np.cumsum([0, *map(len, documents)]),
        np.ones(len(documents), dtype=bool),
    )


def hole(ids: list[int], at: int, label: int, file: str = "x") -> Segment:
    """A segment with one hole."""
    return Segment(file, np.array(ids), np.array([at]), np.array([label]))


def test_top_1_and_top_5_are_shares_of_the_holes() -> None:
    ranked = np.array([[7, 1, 2, 3, 4], [1, 2, 3, 4, 7], [1, 2, 3, 4, 5], [7, 8, 1, 2, 3]])
    score = accuracy(ranked, np.array([7, 7, 7, 8]))
    assert (score.top_1, score.top_5, score.pieces) == (0.25, 0.75, 4)


def test_accuracy_by_file_keeps_the_files_apart() -> None:
    segments = [hole([0, MASK], 1, 7, "a"), hole([0, MASK], 1, 7, "b"), hole([0, MASK], 1, 5, "b")]
    scores = accuracy_by_file(segments, lambda given: np.tile([7, 1, 2, 3, 4], (len(given), 1)))
    assert (scores["a"].top_1, scores["b"].top_1, scores["all"].pieces) == (1.0, 0.5, 3)


def test_followers_are_counted_in_the_wanted_contexts_only() -> None:
    counted = count_followers(np.array([1, 1, 1, 2, 3]), np.array([5, 5, 6, 7, 8]), np.array([1, 3, 99]), 10)
    pieces, counts = counted.of(1)
    assert dict(zip(pieces.tolist(), counts.tolist(), strict=True)) == {5: 2, 6: 1}
    assert counted.of(3)[0].tolist() == [8]
    assert len(counted.of(2)[0]) == len(counted.of(99)[0]) == 0


def test_witten_bell_by_hand() -> None:
    lower = np.array([0.5, 0.25, 0.25])
    probability = smoothed((np.array([1, 2]), np.array([3, 1])), lower)
    # two types, four tokens: (count + 2 * lower) / (4 + 2)
    assert probability == pytest.approx([1 / 6, 3.5 / 6, 1.5 / 6])
    assert smoothed((np.array([]), np.array([])), lower) is lower


def test_baselines_answer_from_their_counts() -> None:
    corpus = flat_corpus([[1, 2, 3]] * 5 + [[4, 2, 5]] * 4 + [[1, 2, 6]] + [[7, 7, 7, 7]] * 20)
    rivals = CountingRivals(corpus, 10)
    after_1_2, after_4_2 = hole([0, 1, 2, MASK, 0], 3, 3), hole([0, 4, 2, MASK, 0], 3, 5)
    between = hole([0, 4, MASK, 5, 0], 2, 2)
    assert rivals.most_frequent([after_1_2, between])[:, 0].tolist() == [7, 7]
    assert rivals.trigram([after_1_2, after_4_2])[:, 0].tolist() == [3, 5]
    assert rivals.neighbours([between])[0, 0] == 2
    assert rivals.unigram.sum() == pytest.approx(1.0)


def test_a_hidden_neighbour_is_not_looked_at() -> None:
    rivals = CountingRivals(flat_corpus([[1, 2, 3]] * 9 + [[7] * 40]), 10)
    assert rivals.trigram([hole([0, 1, MASK, MASK, 0], 3, 3)])[0, 0] == 7


def test_segments_cover_the_text_with_15_percent_holes(tmp_path: Path) -> None:
    words = "? A b c . d e"
    text = "\n\n".join(" ".join(["A b c d e b."] * 30) for _ in range(4))
    (tmp_path / "en_toy.txt").write_text(text, encoding="utf-8")
    (tmp_path / "zh_toy.txt").write_text(text, encoding="utf-8")
    special = SpecialIds(cls=20, sep=21, mask=22, pad=23, vocab_size=30)
    segments = validation_segments(tmp_path, "en", word_tokenizer(words), special)
    again = validation_segments(tmp_path, "en", word_tokenizer(words), special)
    assert {segment.file for segment in segments} == {"en_toy"}
    assert sum(len(segment.input_ids) - 2 for segment in segments) == 4 * 30 * 7
    assert max(len(segment.input_ids) for segment in segments) <= 128
    holes = sum(len(segment.chosen) for segment in segments)
    assert holes / (4 * 30 * 7) == pytest.approx(0.15, abs=0.01)
    assert all((a.input_ids == b.input_ids).all() for a, b in zip(segments, again, strict=True)), "fixed seed"


def test_topic_overlap_weighs_rare_pieces() -> None:
    overlap = TopicOverlap(np.array([0.0, 1.0, 2.0, 2.0]), threshold=0.5)
    assert overlap.overlap(np.array([0, 2]), np.array([0, 2])) == pytest.approx(1.0)
    assert overlap.overlap(np.array([0, 1]), np.array([0, 2])) == 0.0
    assert overlap.overlap(np.array([1, 2]), np.array([2, 3])) == pytest.approx(4 / np.sqrt(5 * 8))
    assert overlap.is_next(np.array([1, 2]), np.array([2, 3]))


def test_rarity_is_inverse_document_frequency() -> None:
    rarity = document_rarity(flat_corpus([[1, 2]], [[1, 1, 3]], [[1]]), 5)
    assert rarity == pytest.approx(np.log([4 / 1, 4 / 4, 4 / 2, 4 / 2, 4 / 1]))


def test_training_pairs_are_true_and_balanced() -> None:
    corpus = toy_corpus()
    pairs = training_pairs(corpus, 50, seed=0)
    assert sum(follows for *_, follows in pairs) == 25
    for first, second, follows in pairs:
        same_document = (int(first[0]) - FIRST_PIECE) // 12 == (int(second[0]) - FIRST_PIECE) // 12
        assert second[0] == first[0] + 1 if follows else not same_document


def test_the_threshold_separates_what_can_be_separated() -> None:
    documents = [[[10 + topic, 10 + topic, 1]] * 6 for topic in range(20)]
    overlap = fit_topic_overlap(flat_corpus(*documents), 40, count=200)
    assert overlap.is_next(np.array([12, 1]), np.array([12, 1]))
    assert not overlap.is_next(np.array([12, 1]), np.array([13, 1]))


def test_pairs_are_read_by_task(tmp_path: Path) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(
        "source\ttask\tlabel\tsentence1\tsentence2\n"
        'x\tnsp\tnext\tHe said "no.\tThen he left.\nx\tsop\tswapped\tB\tA\nx\tnsp\trandom\tA\tC\n',
        encoding="utf-8",
    )
    nsp, sop = read_pairs(path, "nsp"), read_pairs(path, "sop")
    assert nsp.pairs == [('He said "no.', "Then he left."), ("A", "C")]
    assert nsp.in_order.tolist() == [True, False]
    assert sop.in_order.tolist() == [False]
