"""Gives memory that is free in the process back to the system.

glibc's allocator returns what is at the end of its heap. Between what lives long (weights, what is kept of a text)
and what a pass needs for a moment, holes remain that count as memory of this process. After 530 questions of twelve
visitors 600 of 1,490 MB were free; giving back whole pages of them left 1,295 MB.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable

from app.metrics import REQUESTS, value_of

SECONDS_BETWEEN_TRIMS = 20.0
# Pools of free memory that the threads share. glibc gives each thread one of its own, up to eight for each core, and
# what is free in one is of no use to another: 40 visitors had 1,050 MB in 27 of them, and 680 in two.
POOLS = 2
M_ARENA_MAX = -8  # of glibc's malloc.h


def share_pools() -> bool:
    """Let all threads share a few pools of free memory; whether the allocator took the advice.

    It has to come before the threads: those that have a pool keep it.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        return ctypes.CDLL(None).mallopt(M_ARENA_MAX, POOLS) == 1
    except (OSError, AttributeError):  # musl
        return False


def trimmer() -> Callable[[], object] | None:
    """What gives free memory back; None where the system's allocator has no such function."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError):  # musl
        return None
    return lambda: trim(0)


def keep_trimmed(
    stopped: threading.Event,
    trim: Callable[[], object] | None = None,
    answered: Callable[[], float] = lambda: value_of(REQUESTS),
    seconds: float = SECONDS_BETWEEN_TRIMS,
) -> None:
    """Trim repeatedly where something was answered since; an idle server stays idle.

    Args:
        stopped: set when the server ends.
        trim: None for the system's.
        answered: a number that changes with each question.
        seconds: between two looks.
    """
    trim, before = trim or trimmer(), -1.0
    while trim is not None and not stopped.wait(seconds):
        if (now := answered()) != before:
            trim()
            before = now
