"""Kneser-Ney: probabilities sum to one and equal the paper's formulas computed in full."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from app.pretraining.evaluation.kneser_ney import discounts, fit_kneser_ney

VOCABULARY = 7


@pytest.fixture
def stream() -> np.ndarray:
    """Ids that follow each other by rules, with noise."""
    rng = np.random.default_rng(0)
    ids = [0, 1]
    for _ in range(3000):
        ids.append(int(rng.integers(VOCABULARY)) if rng.random() < 0.3 else (ids[-1] * 2 + ids[-2]) % VOCABULARY)
    return np.array(ids)


def by_the_book(ids: list[int], context: tuple[int, ...], word: int, longest: int) -> float:
    """P(word | context) as in Chen and Goodman's formulas, with dictionaries."""
    grams = {n: [tuple(ids[at : at + n]) for at in range(len(ids) - n + 1)] for n in range(1, longest + 1)}
    counts = {longest: Counter(grams[longest])}
    for n in range(longest - 1, 0, -1):
        counts[n] = Counter(gram[1:] for gram in set(grams[n + 1]))
        first = grams[n][0]
        counts[n][first] = max(1, counts[n][first])

    def probability(before: tuple[int, ...]) -> float:
        n = len(before) + 1
        shorter = probability(before[1:]) if before else 1 / VOCABULARY
        followers = {gram[-1]: count for gram, count in counts[n].items() if gram[:-1] == before and count}
        if not followers:
            return shorter
        cut = discounts(np.array([count for count in counts[n].values() if count]))
        total = sum(followers.values())
        left = sum(cut[min(count, 3) - 1] for count in followers.values()) / total
        own = followers.get(word, 0)
        return (own - cut[min(own, 3) - 1] if own else 0.0) / total + left * shorter

    return probability(context)


@pytest.mark.parametrize("longest", [1, 2, 3, 4])
def test_it_is_the_papers_formula(stream: np.ndarray, longest: int) -> None:
    model = fit_kneser_ney(stream, VOCABULARY, longest)
    asked = np.random.default_rng(1).integers(VOCABULARY, size=40)
    ours = model.log_probabilities(asked)
    for place, log_probability in enumerate(ours):
        context = tuple(asked[max(0, place - longest + 1) : place].tolist())
        expected = by_the_book(stream.tolist(), context, int(asked[place]), longest)
        assert np.exp(log_probability) == pytest.approx(expected, rel=1e-9)


def test_probabilities_sum_to_one_in_every_context(stream: np.ndarray) -> None:
    model = fit_kneser_ney(stream, VOCABULARY, 4)
    for context in ([], [3], [2, 5], [6, 0, 1], [1, 1, 1, 1, 1]):
        last = [model.log_probabilities(np.array([*context, word]))[-1] for word in range(VOCABULARY)]
        assert np.exp(last).sum() == pytest.approx(1.0, rel=1e-9)


def test_longer_contexts_help_where_the_text_has_rules(stream: np.ndarray) -> None:
    train, held_out = stream[:2500], stream[2500:]
    losses = [-fit_kneser_ney(train, VOCABULARY, n).log_probabilities(held_out).mean() for n in (1, 2, 3)]
    assert losses[2] < losses[1] - 0.1 and losses[2] < losses[0] - 0.1


def test_a_word_that_follows_one_other_is_not_expected_elsewhere() -> None:
    # The paper's example: "Francisco" is frequent, but only after "San".
    san, francisco, common = 0, 1, 2
    others = [3, 4, 5, 6]
    ids = []
    for turn in range(400):
        ids += [san, francisco, others[turn % 4], common, others[(turn * 3 + 1) % 4]]
    model = fit_kneser_ney(np.array(ids), VOCABULARY, 2)
    after_itself = {word: model.log_probabilities(np.array([francisco, word]))[-1] for word in (francisco, common)}
    assert after_itself[common] > after_itself[francisco]
