"""Groups found without labels."""

from __future__ import annotations

import numpy as np
import pytest

from app.analysis.clusters import cluster
from app.analysis.similarity import cosines


def three_groups() -> tuple[np.ndarray, list[int]]:
    """Cosines of rows near three axes, and their axis."""
    axes = [0, 1, 1, 2, 0, 2, 1, 0, 2]
    return cosines(np.eye(3, 8)[axes] + np.random.default_rng(0).normal(scale=0.05, size=(9, 8))), axes


@pytest.mark.parametrize("groups", [None, 3])
def test_groups_are_found_and_numbered_in_order(groups: int | None) -> None:
    similarity, axes = three_groups()
    assert cluster(similarity, groups) == axes


def test_two_groups_where_two_are_asked() -> None:
    assert len(set(cluster(three_groups()[0], 2))) == 2


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 5])
def test_few_and_equal_rows(rows: int) -> None:
    assert cluster(np.ones((rows, rows))) == [0] * rows
    assert len(cluster(np.eye(rows), 9)) == rows
    assert len(cluster(np.eye(rows))) == rows
