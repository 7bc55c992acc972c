"""Projects many-dimensional points into two or three dimensions: PCA, t-SNE, UMAP. Arrays in, arrays out.

UMAP compiles itself when it is first imported and first used, which takes about 20 s of CPU. `warm_umap` does that
before the first visitor comes, and a folder keeps the compiled code for the next start. Two calls at once would crash
the whole process (numba has its own threads), so there is one lock.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.fork_lock import ForkLock
from app.late_imports import importing

METHODS = ("pca", "tsne", "umap")
# Points that differ by less than this share of their length count as equal; smaller differences are rounding.
SAME_SPOT = 1e-5
# The methods' own defaults; fewer points get smaller values.
PERPLEXITY, NEIGHBOURS = 30.0, 15
# t-SNE and UMAP start from this many principal components, as usual; up to 51 points lose nothing.
COMPONENTS = 50

_UMAP = ForkLock()


@dataclass(frozen=True)
class Projection:
    """Points, and how they were really drawn.

    Attributes:
        points: [point, dimensions].
        method: "pca" if there was nothing to approximate, else the requested method.
        setting: t-SNE's perplexity or UMAP's neighbours; 0 for PCA.
    """

    points: np.ndarray
    method: str
    setting: float


def project(vectors: np.ndarray, method: str = "pca", dimensions: int = 2, seed: int = 0) -> np.ndarray:
    """The points of `projection`."""
    return projection(vectors, method, dimensions, seed).points


def projection(vectors: np.ndarray, method: str = "pca", dimensions: int = 2, seed: int = 0) -> Projection:
    """Coordinates that keep near points near.

    Equal points get the same coordinates. Up to `dimensions` + 1 different points fit into the picture with their exact
    distances, so PCA answers then, whatever the method. The same input and seed give the same picture.

    Args:
        vectors: [point, feature], any number of points; distances are Euclidean.
        method: "pca" (exact, linear), "tsne" (van der Maaten and Hinton 2008) or "umap" (McInnes et al. 2018,
            arXiv 1802.03426); both begin from PCA (Kobak and Linderman 2021).
        dimensions: 2 or 3.
        seed: for the random numbers of t-SNE and UMAP.

    Returns:
        Points in float64, centred, in the method's own units; all 0 if all points are equal.

    Raises:
        ValueError: no such method.
    """
    if method not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    vectors = np.asarray(vectors, dtype=np.float64)
    first, place = distinct_rows(vectors)
    spots = vectors[first]
    if method == "pca" or len(spots) <= dimensions + 1:
        return Projection(_pca(spots[place], dimensions), "pca", 0)  # a spot weighs as much as the points on it
    if spots.shape[1] > COMPONENTS:
        spots = _pca(spots, COMPONENTS)
    if method == "tsne":
        setting: float = min(PERPLEXITY, (len(spots) - 1) / 3)
        found = _tsne(spots, dimensions, seed, setting)
    else:
        setting = min(NEIGHBOURS, len(spots) - 1)
        found = _umap(spots, dimensions, seed, setting)
    return Projection((found - found.mean(axis=0))[place], method, setting)


def distinct_rows(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The index of the first point on each spot, and each point's spot, both in order of appearance."""
    if not len(vectors):
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
    with importing():
        from sklearn.cluster import DBSCAN

    reach = SAME_SPOT * float(np.linalg.norm(vectors, axis=1).max()) or 1.0
    # If one point is enough for a cluster, these are the sets of points linked by steps within reach.
    spots = DBSCAN(eps=reach, min_samples=1).fit_predict(vectors)
    _, first = np.unique(spots, return_index=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[spots]


def explained(points: np.ndarray, vectors: np.ndarray) -> list[float]:
    """The share of the vectors' variance along each axis of their points.

    Args:
        points: [point, dimension], by PCA in the vectors' own units, rotated or not.
        vectors: [point, feature].

    Returns:
        One share per axis; all 0 if all vectors are equal.
    """
    whole = float(np.asarray(vectors, dtype=np.float64).var(axis=0).sum())
    return [float(share) / whole if whole > 0 else 0.0 for share in points.var(axis=0)]


def plane(vectors: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, list[float]]:
    """Other vectors projected onto the plane of the first two principal components of some vectors.

    Args:
        vectors: [point, feature], which define the plane; at least three different ones.
        others: [point, feature].

    Returns:
        Points [point, 2] of the others, and the share of the defining vectors' variance along each axis.
    """
    with importing():
        from sklearn.decomposition import PCA

    fitted = PCA(2, random_state=0).fit(vectors)
    return fitted.transform(others), fitted.explained_variance_ratio_.tolist()


def align(points: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The points rotated or mirrored to be as close to the target as possible; distances do not change.

    Orthogonal Procrustes (Schoenemann 1966). Both [point, dimension], centred.
    """
    left, _, right = np.linalg.svd(points.T @ target)
    return points @ (left @ right)


def warm_umap() -> None:
    """Import and compile UMAP; called in the background after start."""
    project(np.random.default_rng(0).normal(size=(30, 8)), "umap")


def _pca(vectors: np.ndarray, dimensions: int) -> np.ndarray:
    """Principal components; those that flat data lack are 0."""
    if not len(vectors):
        return np.zeros((0, dimensions))
    with importing():
        from sklearn.decomposition import PCA

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equal points have no variance to divide by
        found = PCA(min(dimensions, *vectors.shape), random_state=0).fit_transform(vectors)
    return np.pad(found, ((0, 0), (0, dimensions - found.shape[1])))


def _start(spots: np.ndarray, dimensions: int) -> np.ndarray:
    """PCA as the methods' starting point, with a standard deviation of 1 along its first axis."""
    found = _pca(spots, dimensions)
    return (found / found[:, 0].std()).astype(np.float32)


def _tsne(spots: np.ndarray, dimensions: int, seed: int, perplexity: float) -> np.ndarray:
    with importing():
        from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits

    started = 1e-4 * _start(spots, dimensions)  # the scale of scikit-learn's own start
    made = TSNE(dimensions, perplexity=perplexity, init=started, random_state=seed, n_jobs=1)
    # Its threads wait for each other by spinning: on a busy machine, 0.6 s became 100 s.
    with threadpool_limits(1, "openmp"):
        return made.fit_transform(spots).astype(float)


def _umap(spots: np.ndarray, dimensions: int, seed: int, neighbours: int) -> np.ndarray:
    with _UMAP, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a seed means one thread; few points mean few neighbours
        _keep_compiled()
        with importing():
            from umap import UMAP

        # UMAP would divide by zero in a direction without any width.
        jitter = np.random.default_rng(seed).normal(scale=1e-3, size=(len(spots), dimensions))
        made = UMAP(
            n_neighbors=neighbours,
            n_components=dimensions,
            init=_start(spots, dimensions) + jitter,
            random_state=seed,
            n_jobs=1,
        )
        return made.fit_transform(spots).astype(float)


def _keep_compiled() -> None:
    """Let numba keep compiled code where only this user can write, because it trusts what it finds there."""
    if "NUMBA_CACHE_DIR" in os.environ:
        return
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "plm-playground" / "numba"
    try:
        cache.mkdir(mode=0o700, parents=True, exist_ok=True)
        (cache / ".writable").touch()
    except (OSError, RuntimeError):
        cache = Path(tempfile.mkdtemp(prefix="plm-playground-numba-"))
    os.environ["NUMBA_CACHE_DIR"] = str(cache)
