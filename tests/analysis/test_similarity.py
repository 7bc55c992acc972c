"""Cosines, their relation to labels, and the scalar mix: by hand, and against scikit-learn and our ELMo."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from app.analysis.similarity import cosines, leave_one_out, mix, one_nearest, separation
from app.models.elmo import ElmoScalarMix


def test_cosines_are_those_of_scikit_learn() -> None:
    vectors = np.random.default_rng(0).normal(size=(7, 5))
    assert np.abs(cosines(vectors) - cosine_similarity(vectors)).max() < 1e-12
    assert np.abs(cosines(vectors, vectors[:3] * 9) - cosine_similarity(vectors, vectors[:3])).max() < 1e-12
    assert cosines(np.zeros((2, 3))).tolist() == [[0, 0], [0, 0]]


def test_separation_by_hand() -> None:
    similarity = np.array([[1, 0.9, 0.1, 0.2], [0.9, 1, 0.3, 0.0], [0.1, 0.3, 1, 0.25], [0.2, 0.0, 0.25, 1]])
    found = separation(similarity, ["a", "a", "b", "b"])
    assert found.same == pytest.approx((0.9 + 0.25) / 2)
    assert found.different == pytest.approx((0.1 + 0.2 + 0.3 + 0.0) / 4)
    assert found.margin == pytest.approx(found.same - found.different)
    assert found.one_nn_accuracy == pytest.approx(3 / 4)  # row 2 lies nearest to row 1
    assert found.most_frequent_accuracy == 0.5


def test_rows_without_a_label_are_left_out() -> None:
    similarity = np.array([[1, 0.9, 0.99], [0.9, 1, 0.99], [0.99, 0.99, 1]])
    found = separation(similarity, ["a", "b", None])
    assert (found.same, found.margin, found.different, found.one_nn_accuracy) == (None, None, 0.9, 0.0)
    assert separation(similarity, ["a", "a", None]) is None
    assert separation(np.ones((0, 0)), []) is None


def test_leave_one_out_is_that_of_scikit_learn() -> None:
    generator = np.random.default_rng(3)
    labels = np.arange(40) % 3
    vectors = 1.2 * np.eye(3, 6)[labels] + generator.normal(size=(40, 6))
    neighbour = KNeighborsClassifier(1, metric="cosine")
    expected = cross_val_score(neighbour, vectors, labels, cv=LeaveOneOut()).mean()
    assert 0.4 < expected < 1
    assert leave_one_out(cosines(vectors), labels) == pytest.approx(expected)
    neighbour.fit(vectors[:25], labels[:25])
    assert one_nearest(cosines(vectors[25:], vectors[:25]), labels[:25], labels[25:]) == pytest.approx(
        neighbour.score(vectors[25:], labels[25:])
    )


def test_equal_vectors_get_what_guessing_gets_in_any_order() -> None:
    labels = np.array([0, 0, 0, 1, 1])
    expected = (3 * 2 / 4 + 2 * 1 / 4) / 5
    for order in (slice(None), slice(None, None, -1), [3, 0, 4, 1, 2]):
        assert leave_one_out(np.ones((5, 5)), labels[order]) == pytest.approx(expected)


def test_mix_is_that_of_elmo() -> None:
    layers = torch.randn(3, 4, 6)
    published = ElmoScalarMix(3)
    weights = [0.5, -1.0, 2.0]
    with torch.no_grad():
        published.weights.copy_(torch.tensor(weights))
        expected = published([layer[None] for layer in layers], torch.ones(1, 4))[0]
    assert np.abs(mix(layers.numpy(), weights) - expected.numpy()).max() < 1e-6
    assert np.abs(mix(layers.numpy(), [7, 7, 7]) - layers.mean(0).numpy()).max() < 1e-6
