"""Large libraries are imported where they are first needed, by one thread at a time.

Some of them (narwhals, scikit-learn) import each other in a circle. Python breaks a deadlock between two threads that
enter such a circle at different ends by handing one of them a half-imported module: an `ImportError` for the visitor
who pressed the button at that moment.
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
    """Imports inside wait until no other thread imports here."""
    with _lock, no_search():
        yield


def _renew() -> None:
    """A fork has one thread: a lock that another one held would never be released there."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_renew)
