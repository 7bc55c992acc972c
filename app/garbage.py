"""Keeps Python's garbage collector away from objects that last as long as the program: its modules and its page.

The collector goes through all objects again and again as their number grows: this takes a fifth of the time for imports
and a page of 17 tabs, and half a second in which a running server answers nobody.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from app.fork_lock import ForkLock

_guard = ForkLock()
_paused = 0


@contextmanager
def no_search() -> Iterator[None]:
    """No collection runs inside, in any thread; new cycles stay until later."""
    _pause(1)
    try:
        yield
    finally:
        _pause(-1)


def _pause(more: int) -> None:
    global _paused
    with _guard:
        _paused += more
        (gc.disable if _paused else gc.enable)()


def leave_out() -> None:
    """Exclude all current objects from later collections."""
    gc.freeze()
