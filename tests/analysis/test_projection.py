"""Projected points: right where that can be checked, and no failure on any input."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from app.analysis.projection import METHODS, NEIGHBOURS, PERPLEXITY, align, distinct_rows, project, projection
from tests.conftest import ROOT


def blobs(count: int = 20, features: int = 40) -> tuple[np.ndarray, np.ndarray]:
    """Three groups far from each other."""
    generator = np.random.default_rng(1)
    labels = np.arange(3 * count) % 3
    return 10 * np.eye(3, features)[labels] + generator.normal(scale=0.3, size=(3 * count, features)), labels


def distances(points: np.ndarray) -> np.ndarray:
    """Between every two points."""
    return np.linalg.norm(points[:, None] - points[None], axis=-1)


def test_pca_is_the_singular_value_decomposition() -> None:
    vectors, _ = blobs()
    centred = vectors - vectors.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    assert np.abs(np.abs(project(vectors, "pca", 3)) - np.abs(centred @ axes[:3].T)).max() < 1e-8


@pytest.mark.slow
@pytest.mark.parametrize(("method", "usual"), [("tsne", PERPLEXITY), ("umap", NEIGHBOURS)])
def test_how_it_was_drawn_is_said(method: str, usual: float) -> None:
    generator = np.random.default_rng(0)
    many, few = projection(generator.normal(size=(120, 4)), method), projection(generator.normal(size=(7, 4)), method)
    assert (many.method, many.setting) == (method, usual)
    assert few.method == method and 0 < few.setting < usual
    for spots in (np.eye(3), np.repeat(np.eye(3), 4, axis=0)):
        fell_back = projection(spots, method)
        assert (fell_back.method, fell_back.setting) == ("pca", 0)
        assert np.allclose(fell_back.points, project(spots, "pca"))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dimensions", [2, 3])
def test_groups_stay_together(method: str, dimensions: int) -> None:
    vectors, labels = blobs()
    points = project(vectors, method, dimensions)
    assert points.shape == (60, dimensions) and np.isfinite(points).all()
    assert np.abs(points.mean(axis=0)).max() < 1e-4
    apart = distances(points) + np.where(np.eye(60), np.inf, 0)
    # t-SNE in space leaves a few points between the groups.
    assert (labels[apart.argmin(axis=1)] == labels).mean() > (0.8 if (method, dimensions) == ("tsne", 3) else 0.99)
    assert np.array_equal(points, project(vectors, method, dimensions))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", range(8))
def test_few_points(method: str, count: int) -> None:
    vectors = np.random.default_rng(count).normal(size=(count, 5))
    for dimensions in (2, 3):
        points = project(vectors, method, dimensions)
        assert points.shape == (count, dimensions) and np.isfinite(points).all()
        if 0 < count <= dimensions + 1:
            assert np.abs(distances(points) - distances(vectors)).max() < 1e-8


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("count", [1, 2, 4, 6, 30])
def test_equal_points(method: str, count: int) -> None:
    """They lie on one spot, alone and among others; rounding does not part them."""
    same = np.tile(np.random.default_rng(0).normal(size=24), (count, 1)).astype(np.float32)
    same *= 1 + 1e-7 * np.arange(count, dtype=np.float32)[:, None]
    assert np.array_equal(project(same, method), np.zeros((count, 2)))
    others = np.random.default_rng(1).normal(size=(9, 24))
    points = project(np.concatenate([same, others]), method)
    assert np.isfinite(points).all()
    assert distances(points[:count]).max() < 1e-4 < distances(points[count:])[0, 1:].min()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("vectors", [np.zeros((7, 3)), np.ones((5, 1)), np.eye(6)[:, :2], np.arange(9.0)[:, None]])
def test_flat_data(method: str, vectors: np.ndarray) -> None:
    points = project(vectors, method, 3)
    assert points.shape == (len(vectors), 3) and np.isfinite(points).all()


def test_unknown_method() -> None:
    with pytest.raises(ValueError, match="pca, tsne, umap"):
        project(np.eye(3), "lda")


def test_distinct_rows_in_order_of_appearance() -> None:
    first, place = distinct_rows(np.array([[2.0, 0], [1, 0], [2, 0], [0, 5], [1, 0]]))
    assert first.tolist() == [0, 1, 3] and place.tolist() == [0, 1, 0, 2, 1]


def test_align_turns_and_mirrors() -> None:
    target = np.random.default_rng(0).normal(size=(10, 2))
    turned = target @ np.array([[0.6, 0.8], [0.8, -0.6]])
    assert np.abs(align(turned, target) - target).max() < 1e-12
    assert np.abs(distances(align(turned, -3 * target)) - distances(target)).max() < 1e-12


@pytest.mark.slow
def test_umap_and_tsne_in_many_threads() -> None:
    """UMAP in two threads at once would end the process."""
    found: list[np.ndarray] = []

    def run(seed: int) -> None:
        vectors = np.random.default_rng(seed).normal(size=(12 + seed, 16))
        found.append(project(vectors, "umap" if seed % 3 else "tsne"))

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12 and all(np.isfinite(points).all() for points in found)


@pytest.mark.parametrize("home", ["home", "missing/nowhere"])
def test_what_is_compiled_is_kept_where_only_this_user_can_write(tmp_path, home: str) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "missing").touch()  # a file: no folder can be made in it
    code = (
        "import os, app.analysis.projection as p; p._keep_compiled();"
        "folder = os.environ['NUMBA_CACHE_DIR']; print(folder, oct(os.stat(folder).st_mode & 0o777))"
    )
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    environment |= {"XDG_CACHE_HOME": str(tmp_path / home), "TMPDIR": str(tmp_path)}
    printed = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    folder, mode = printed.stdout.split()
    assert mode == "0o700" and folder.startswith(str(tmp_path / home if home == "home" else tmp_path / "plm-"))
