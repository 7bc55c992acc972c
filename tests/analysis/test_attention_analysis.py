"""Statistics of attention weights, on small matrices worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.attention import ROLES, measure_roles, quantise_rows, resolving_head, rollout, thumbnails
from app.analysis.positions import sinusoids
from app.analysis.similarity import cosines


def one_hot(targets: list[int]) -> np.ndarray:
    """Weights [1 layer, 1 head, query, key] with all of a row on one key."""
    return np.eye(len(targets), dtype=np.float32)[targets][None, None]


@pytest.mark.parametrize(
    ("role", "targets"),
    [
        ("previous", [0, 0, 1, 2, 3]),
        ("next", [1, 2, 3, 4, 4]),
        ("itself", [0, 1, 2, 3, 4]),
        ("first_or_separator", [4, 0, 4, 0, 0]),
        ("same_word", [0, 3, 0, 1, 0]),
    ],
)
def test_a_head_that_does_one_thing_is_found(role: str, targets: list[int]) -> None:
    # [CLS] dog barks dog [SEP]
    measured = measure_roles(one_hot(targets), [101, 7, 8, 7, 102], [True, False, False, False, True])
    assert measured[0, 0, ROLES.index(role)] == 1


def test_without_special_tokens_the_first_one_takes_their_place() -> None:
    measured = measure_roles(one_hot([0, 0, 0]), [1, 2, 3], [False] * 3)[0, 0]
    # the first token itself has no other "first token", and "previous" of the second one is the first
    assert measured.tolist() == [0.5, 0.0, pytest.approx(1 / 3), 1.0, 0.0]


def test_rollout_by_hand() -> None:
    first = np.array([[[0.5, 0.5], [0.0, 1.0]]])
    second = np.array([[[1.0, 0.0], [1.0, 0.0]]])
    mixed_first = np.array([[0.75, 0.25], [0.0, 1.0]])
    mixed_second = np.array([[1.0, 0.0], [0.5, 0.5]])
    assert rollout(np.stack([first, second])) == pytest.approx(mixed_second @ mixed_first)


def test_quantising_keeps_each_row_within_its_largest_weight_over_510() -> None:
    weights = np.random.default_rng(0).dirichlet(np.ones(300), size=(2, 300)).astype(np.float32)
    quantised, largest = quantise_rows(weights)
    error = np.abs(quantised / 255 * largest[..., None] - weights)
    assert (error <= largest[..., None] / 510 * 1.001).all()
    assert quantise_rows(np.zeros((1, 2, 2), dtype=np.float32))[0].max() == 0


def test_thumbnails_keep_the_largest_of_each_part() -> None:
    weights = np.zeros((1, 1, 48, 48), dtype=np.float32)
    weights[0, 0, 47, 0] = 0.5
    small = thumbnails(weights)
    assert small.shape == (1, 1, 24, 24)
    assert small[0, 0, 23, 0] == 255
    assert small.sum() == 255
    assert thumbnails(np.ones((1, 1, 3, 3), dtype=np.float32)).shape == (1, 1, 3, 3)


def test_sinusoids_are_those_of_the_paper() -> None:
    vectors = sinusoids(20, 6)
    assert vectors[0].tolist() == [0, 1, 0, 1, 0, 1]
    assert vectors[3, 2] == pytest.approx(np.sin(3 / 10_000 ** (2 / 6)))
    assert vectors[3, 3] == pytest.approx(np.cos(3 / 10_000 ** (2 / 6)))


def test_cosines() -> None:
    measured = cosines(np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0], [0.0, 0.0]]))
    assert measured == pytest.approx(np.array([[1, 0, -1, 0], [0, 1, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 0]]))


def test_a_head_that_looks_from_a_pronoun_back_to_a_word() -> None:
    weights = np.full((2, 2, 6, 6), 1 / 6, dtype=np.float32)
    weights[1, 0, 4] = [0.1, 0.7, 0, 0, 0.2, 0]
    assert resolving_head(weights, [4], [1, 2, 3, 5]) == (1, 0, 4, 1)
    assert resolving_head(weights, [4], [0, 2]) is None, "no head gives these half"
    weights[1, 0, 4] = [0.1, 0, 0, 0.9, 0, 0]
    assert resolving_head(weights, [4], [1, 3]) is None, "a neighbour is no finding"
    assert resolving_head(weights, [], [1]) is None
