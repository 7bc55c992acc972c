"""Free memory goes back to the system while questions are answered, but not when the server is idle."""

from __future__ import annotations

import sys
import threading

import pytest

from app.ui.serving.trim import keep_trimmed, trimmer


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_the_allocator_can_be_asked() -> None:
    trim = trimmer()
    if trim is None:
        pytest.skip("another libc")
    trim()


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
