"""Groups of similar vectors, found without labels. Arrays in, arrays out."""

from __future__ import annotations

import numpy as np

from app.late_imports import importing

MOST_GROUPS = 6
# Below this spread of distances there is nothing to separate.
SPREAD = 1e-5


def cluster(similarity: np.ndarray, groups: int | None = None) -> list[int]:
    """Groups of rows by average linkage on cosine distance, numbered in order of appearance.

    Args:
        similarity: cosines [row, row].
        groups: how many; None for the number between 2 and 6 with the best silhouette (Rousseeuw 1987).
    """
    rows = len(similarity)
    distance = np.clip(1.0 - np.asarray(similarity, dtype=np.float64), 0.0, 2.0)
    distance = (distance + distance.T) / 2
    np.fill_diagonal(distance, 0.0)
    if rows < 3 or distance.max() < SPREAD:
        return [0] * rows
    with importing():
        from sklearn.metrics import silhouette_score

    counts = [min(groups, rows)] if groups else range(2, min(MOST_GROUPS, rows - 1) + 1)
    found = [_linked(distance, count) for count in counts]
    if len(found) == 1:
        return _in_order(found[0])
    return _in_order(max(found, key=lambda labels: silhouette_score(distance, labels, metric="precomputed")))


def _linked(distance: np.ndarray, count: int) -> np.ndarray:
    with importing():
        from sklearn.cluster import AgglomerativeClustering

    return AgglomerativeClustering(count, metric="precomputed", linkage="average").fit_predict(distance)


def _in_order(labels: np.ndarray) -> list[int]:
    order = list(dict.fromkeys(labels.tolist()))
    return [order.index(label) for label in labels.tolist()]
