"""Order pairs are neighbours of one document, each in both orders, and their lengths are no clue."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.pretraining.data.corpus import Corpus
from app.pretraining.objectives.masking import NO_PAIR, masked_pairs
from app.pretraining.objectives.sentence_order import IN_ORDER, SWAPPED, opening_pairs, order_pairs
from tests.pretraining.toy import FIRST_PIECE, SPECIAL, toy_corpus


def made_pairs(corpus: Corpus, longest: int = 125, seed: int = 0) -> list[tuple]:
    """All pairs of one pass in document order."""
    return list(order_pairs(corpus, np.arange(corpus.documents), longest, np.random.default_rng(seed)))


def test_pairs_are_neighbours_and_the_label_tells_their_order(corpus: Corpus) -> None:
    labels = set()
    for first, second, label in made_pairs(corpus):
        labels.add(label)
        if label == IN_ORDER:
            assert second[0] == first[-1] + 1
        elif label == SWAPPED:
            assert first[0] == second[-1] + 1
        if label != NO_PAIR:
            assert (first[0] - FIRST_PIECE) // 12 == (second[0] - FIRST_PIECE) // 12, "one document"
            assert len(first) + len(second) <= 125
    assert labels == {IN_ORDER, SWAPPED, NO_PAIR}


def test_every_sentence_is_used(corpus: Corpus) -> None:
    seen = np.concatenate([np.concatenate([first, second]) for first, second, _ in made_pairs(corpus)])
    assert set(seen.tolist()) == set(corpus.ids.tolist())


def test_each_pair_comes_in_both_orders(corpus: Corpus) -> None:
    pairs = [pair for pair in made_pairs(corpus) if pair[2] != NO_PAIR]
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        assert (one[2], other[2]) == (IN_ORDER, SWAPPED)
        assert one[0].tolist() == other[1].tolist()
        assert one[1].tolist() == other[0].tolist()


def test_openings_begin_with_the_documents_first_sentence(corpus: Corpus) -> None:
    document = int(np.flatnonzero(corpus.running_text)[0])
    made = list(opening_pairs(corpus, document, 125, np.random.default_rng(0), 3))
    assert len(made) == 6
    for first, _, _ in made[::2]:
        assert first[0] == corpus.sentence(int(corpus.document_starts[document]))[0]


def test_lengths_are_no_clue() -> None:
    worlds = [toy_corpus(documents=60, sentences=100, seed=seed) for seed in range(10)]
    pairs = [pair for seed, world in enumerate(worlds) for pair in made_pairs(world, seed=seed)]
    pairs = [pair for pair in pairs if pair[2] != NO_PAIR]
    longer = np.array([len(first) > len(second) for first, second, label in pairs if label == IN_ORDER])
    shorter = np.array([len(first) < len(second) for first, second, label in pairs if label == IN_ORDER])
    assert longer.mean() == pytest.approx(shorter.mean(), abs=0.03)


def test_glosses_and_too_long_sentences_make_no_pairs(corpus: Corpus) -> None:
    assert {label for *_, label in made_pairs(replace(corpus, running_text=corpus.running_text & False))} == {NO_PAIR}
    tiny = made_pairs(corpus, longest=7)
    assert max(len(first) for first, *_ in tiny) <= 7
    assert NO_PAIR in {label for *_, label in tiny}


def test_batches_can_be_made_of_order_pairs(corpus: Corpus) -> None:
    made = masked_pairs(corpus, SPECIAL, masking=0, seed=1, lengths=(64,), tokens_per_batch=512, pairs=order_pairs)
    labels = np.concatenate([batch.next_sentence_label for batch in made])
    assert {IN_ORDER, SWAPPED} <= set(labels.tolist())
