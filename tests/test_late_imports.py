"""If several threads first need different libraries at the same time, each gets them complete."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import threading
import numpy as np
from app.analysis.projection import projection
from app.engine.runtime.loader import load_family
from app.results.classification import LabelMap
from app.views.label_map import plot_label_map

vectors = np.random.default_rng(0).normal(size=(8, 4))
drawn = LabelMap("m", "pca", 0, [[0, 0]], ["a"], ["b"])
asked = [lambda: projection(vectors, "pca", 2), lambda: projection(vectors, "tsne", 2), lambda: load_family("bert"),
         lambda: plot_label_map(drawn, "")]
together, failed = threading.Barrier(len(asked)), []

def ask(one):
    together.wait()
    try:
        one()
    except BaseException as error:
        failed.append(repr(error))

threads = [threading.Thread(target=ask, args=(one,)) for one in asked]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failed, failed
"""


@pytest.mark.slow
def test_all_at_once() -> None:
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=600, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
