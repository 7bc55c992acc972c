"""Free memory goes back to the system while questions are answered, but not when the server is idle."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from app.ui.serving.trim import POOLS, keep_trimmed, trimmer
from tests.conftest import ROOT

# Many threads at work at once; then glibc's own account of its pools.
PROGRAM = """
import ctypes, os, threading
from app.ui.serving.trim import share_pools
took = share_pools()
together = threading.Barrier(16)
def work():
    together.wait(60)
    held = [bytes(5_000) for _ in range(20_000)]
    together.wait(60)
threads = [threading.Thread(target=work) for _ in range(16)]
for one in threads: one.start()
for one in threads: one.join()
libc = ctypes.CDLL(None)
libc.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(libc.fdopen(1, b"w"))
libc.malloc_info(0, out)
libc.fflush(out)
os._exit(0 if took else 3)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_the_allocator_can_be_asked() -> None:
    trim = trimmer()
    if trim is None:
        pytest.skip("another libc")
    trim()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_threads_share_a_few_pools() -> None:
    told = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True)
    if told.returncode == 3:
        pytest.skip("another libc")
    assert 1 <= told.stdout.count("<heap nr=") <= POOLS, told.stdout + told.stderr


def test_an_idle_server_is_left_alone() -> None:
    trims, counts, stopped = [], iter([1.0, 1.0, 1.0, 2.0, 2.0]), threading.Event()

    def answered() -> float:
        try:
            return next(counts)
        except StopIteration:
            stopped.set()
            return 2.0

    keep_trimmed(stopped, lambda: trims.append(1), answered, seconds=0.0)
    assert len(trims) == 2
