"""Imports large libraries where they are first needed, one thread at a time.

Some of them (narwhals, scikit-learn) have circular imports. If two threads enter such a circle at different ends,
Python avoids the deadlock by giving one of them a half-imported module: an `ImportError` for the visitor who pressed
the button at that moment.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from app.garbage import no_search

_lock = threading.RLock()


@contextmanager
def importing() -> Iterator[None]:
    """Delay imports inside until no other thread imports here."""
    with _lock, no_search():
        yield


def _renew() -> None:
    """Renew the lock, because a fork has one thread and would never release a lock held by another one."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_renew)
