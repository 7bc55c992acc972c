"""The check for machines with a GPU also runs on the CPU, and detects disagreement."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from tests.conftest import ROOT
from tests.gpu_check import compare


def test_it_runs_small_and_prints_its_table() -> None:
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "PLAYGROUND_PACKS": "0"}
    run = [sys.executable, "-m", "tests.gpu_check", "--small", "--seconds", "0.2"]
    ended = subprocess.run(run, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr[-2000:]
    assert "| bert-mini: CPU float32 and bfloat16 on the CPU | holds: first choices 100%" in ended.stdout
    for row in ("fill a mask", "judge a pair", "attention", "score", "next token", "write 20", "32 visitors", "memory"):
        assert f"| {row}" in ended.stdout


def test_differences_are_noticed() -> None:
    sure, unsure = np.array([0.7, 0.2, 0.1]), np.array([0.5, 0.49, 0.01])
    assert compare("same", [sure], [sure + 0.001]).holds
    assert not compare("off", [sure], [np.array([0.65, 0.25, 0.1])]).holds
    assert not compare("other", [sure], [np.array([0.2, 0.7, 0.1])]).holds
    assert compare("a tie", [unsure], [np.array([0.49, 0.5, 0.01])]).holds
