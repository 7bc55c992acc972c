"""Masking and sentence pairs follow BERT's paper, on a corpus whose pieces show their place."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from app.pretraining.data.corpus import Corpus
from app.pretraining.objectives.masking import (
    BERT_MIX,
    IS_NEXT,
    NO_PAIR,
    NOT_NEXT,
    PairBatch,
    PairMix,
    mask_tokens,
    masked_pairs,
    sentence_pairs,
)
from tests.pretraining.toy import FIRST_PIECE, SPECIAL, toy_corpus

SENTENCES = 12  # per document of the toy corpus


def document_of(piece: int) -> int:
    """The document a piece of the toy corpus is from."""
    return (int(piece) - FIRST_PIECE) // SENTENCES


def made_pairs(corpus: Corpus, mix: PairMix = BERT_MIX, *, longest: int = 125, seed: int = 3) -> list[tuple]:
    """All pairs of one pass in document order."""
    rng = np.random.default_rng(seed)
    return list(sentence_pairs(corpus, np.arange(corpus.documents), longest, rng, mix))


def one_pass(corpus: Corpus, masking: int) -> list[PairBatch]:
    """One pass with a fixed masking."""
    return list(masked_pairs(corpus, SPECIAL, masking=masking, seed=7, lengths=(64, 128), tokens_per_batch=1024))


def test_masking_is_15_percent_and_80_10_10() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(FIRST_PIECE, SPECIAL.vocab_size, 200_002)
    ids[0], ids[-1] = SPECIAL.cls, SPECIAL.sep
    masked, chosen = mask_tokens(ids, SPECIAL, rng)
    hidden, kept = (masked[chosen] == SPECIAL.mask).mean(), (masked[chosen] == ids[chosen]).mean()
    assert len(chosen) == 30_000
    assert hidden == pytest.approx(0.8, abs=0.01)
    assert kept == pytest.approx(0.1, abs=0.01)
    assert 1 - hidden - kept == pytest.approx(0.1, abs=0.01)


def test_masking_leaves_the_rest_and_the_special_tokens_alone() -> None:
    rng = np.random.default_rng(1)
    ids = np.array([SPECIAL.cls, *range(10, 30), SPECIAL.sep, *range(40, 50), SPECIAL.sep])
    for _ in range(200):
        masked, chosen = mask_tokens(ids, SPECIAL, rng)
        others = np.setdiff1d(np.arange(len(ids)), chosen)
        assert (masked[others] == ids[others]).all()
        assert not {0, 21, 32} & set(chosen.tolist())
        assert (masked[chosen] >= SPECIAL.mask).all(), "a random piece is an ordinary one"


def test_even_one_word_is_hidden() -> None:
    _, chosen = mask_tokens(np.array([SPECIAL.cls, 9, SPECIAL.sep]), SPECIAL, np.random.default_rng(0))
    assert chosen.tolist() == [1]


def test_next_sentences_follow_and_others_come_from_another_document(corpus: Corpus) -> None:
    pairs = made_pairs(corpus)
    assert {label for *_, label in pairs} >= {IS_NEXT, NOT_NEXT}
    for first, second, label in pairs:
        if label == IS_NEXT:
            assert second[0] == first[-1] + 1, "the second segment begins with the very next sentence"
            assert document_of(first[0]) == document_of(second[-1])
        elif label == NOT_NEXT:
            assert document_of(first[0]) != document_of(second[0])


def test_first_segments_run_through_the_document_in_order(corpus: Corpus) -> None:
    firsts = [int(first[0]) for first, *_ in made_pairs(corpus)]
    assert firsts == sorted(firsts)
    assert len({document_of(piece) for piece in firsts}) == corpus.documents


def test_half_of_the_pairs_follow(corpus: Corpus) -> None:
    labels = [label for seed in range(40) for *_, label in made_pairs(corpus, seed=seed) if label != NO_PAIR]
    assert np.mean(labels) == pytest.approx(0.5, abs=0.03)


def test_lengths_give_nothing_away() -> None:
    corpus = toy_corpus(documents=100, sentences=100)
    pairs = [pair for seed in range(8) for pair in made_pairs(corpus, seed=seed)]
    seconds = {label: [len(second) for _, second, own in pairs if own == label] for label in (IS_NEXT, NOT_NEXT)}
    firsts = {label: [len(first) for first, _, own in pairs if own == label] for label in (IS_NEXT, NOT_NEXT)}
    # Near a document's end a true second segment is short. A wrong one starts anywhere and meets its end as often.
    assert np.mean(seconds[IS_NEXT]) == pytest.approx(np.mean(seconds[NOT_NEXT]), rel=0.08)
    assert np.mean(firsts[IS_NEXT]) == pytest.approx(np.mean(firsts[NOT_NEXT]), rel=0.03)
    best = max(
        abs(np.mean(np.array(seconds[IS_NEXT]) > cut) - np.mean(np.array(seconds[NOT_NEXT]) > cut))
        for cut in range(130)
    )
    assert best / 2 < 0.04, "no threshold on the length answers much better than chance"


def test_glosses_make_no_pairs(corpus: Corpus) -> None:
    glosses = replace(corpus, running_text=np.arange(corpus.documents) >= 20)
    for first, second, label in made_pairs(glosses):
        if document_of(first[0]) < 20:
            assert (label, len(second)) == (NO_PAIR, 0)
        elif label == NOT_NEXT:
            assert document_of(second[0]) >= 20


def test_single_sentences_come_in_the_share_asked_for() -> None:
    corpus = toy_corpus(documents=20, sentences=400)
    pairs = [pair for seed in range(5) for pair in made_pairs(corpus, PairMix(singles=0.4), seed=seed)]
    singles = [first for first, second, _ in pairs if len(second) == 0]
    assert len(singles) / len(pairs) == pytest.approx(0.4, abs=0.03)
    assert np.mean([len(set(first.tolist())) == 1 for first in singles]) > 0.95, "one sentence, not several"


def test_nearby_negatives_come_from_nearby() -> None:
    corpus = toy_corpus(documents=2400, sentences=2, longest=5)
    distances = [
        abs((int(first[0]) - FIRST_PIECE) // 2 - (int(second[0]) - FIRST_PIECE) // 2)
        for first, second, label in made_pairs(corpus, PairMix(nearby=1.0))
        if label == NOT_NEXT
    ]
    assert min(distances) > 0
    assert max(distances) <= 200


def test_the_same_masking_is_the_same_data(corpus: Corpus) -> None:
    for first, again in itertools.zip_longest(one_pass(corpus, 3), one_pass(corpus, 3)):
        for name in PairBatch.__dataclass_fields__:
            assert (getattr(first, name) == getattr(again, name)).all()


def test_different_maskings_differ(corpus: Corpus) -> None:
    first, other = (one_pass(corpus, masking)[0] for masking in (0, 1))
    assert first.input_ids.shape != other.input_ids.shape or (first.input_ids != other.input_ids).any()


def test_batches_hold_what_they_say(corpus: Corpus) -> None:
    for batch in one_pass(corpus, 0):
        rows, width = batch.input_ids.shape
        assert rows * width <= 1024
        assert width <= 128
        assert (batch.input_ids[:, 0] == SPECIAL.cls).all()
        assert (batch.input_ids[batch.attention_mask == 0] == SPECIAL.pad).all()
        assert (batch.token_type_ids[batch.attention_mask == 0] == 0).all()
        assert batch.tokens == batch.attention_mask.sum()
        shown = batch.input_ids.reshape(-1)[batch.masked_positions]
        real = batch.attention_mask.reshape(-1)[batch.masked_positions]
        assert real.all()
        assert (batch.masked_labels >= FIRST_PIECE).all()
        assert ((shown == SPECIAL.mask) | (shown >= FIRST_PIECE)).all()


def test_segments_are_told_apart(corpus: Corpus) -> None:
    batch = one_pass(corpus, 0)[0]
    for ids, types, mask, label in zip(
        batch.input_ids, batch.token_type_ids, batch.attention_mask, batch.next_sentence_label, strict=True
    ):
        ends = np.flatnonzero(ids == SPECIAL.sep)
        assert len(ends) == (1 if label == NO_PAIR else 2)
        assert types[: ends[0] + 1].sum() == 0
        assert types[ends[0] + 1 : mask.sum()].all()
