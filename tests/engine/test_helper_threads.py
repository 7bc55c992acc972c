"""A thread that ran a model keeps no helper threads: idle ones would slow down all other passes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# In a process of its own: threads of other tests come and go.
COUNT = """
import os, threading, torch
from app.engine.runtime.device import RunLock

def threads(): return len(os.listdir("/proc/self/task"))

def run():
    torch.set_num_threads(3)
    before = threads()
    with RunLock():
        torch.ones(512, 512) @ torch.ones(512, 512)
        during = threads()
    print(during - before, threads() - before)

thread = threading.Thread(target=run)
thread.start()
thread.join()
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted as Linux lists them")
def test_helpers_end_with_the_lock() -> None:
    root = Path(__file__).parents[2]
    counted = subprocess.run([sys.executable, "-c", COUNT], cwd=root, capture_output=True, text=True, check=True)
    assert counted.stdout.split() == ["2", "0"]
