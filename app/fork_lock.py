"""A lock that is free in a forked process.

ZeroGPU runs each request in a fork. A fork has one thread, so a lock that another thread held at that moment has no
owner there and would never be released.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from types import TracebackType
from weakref import WeakSet


class ForkLock:
    """A `threading.Lock` that is replaced by a free one after a fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _ALL.add(self)

    def renew(self) -> None:
        """Replace the lock, whoever holds it."""
        self._lock = threading.Lock()

    def acquire(self) -> None:
        """Wait for the lock and take it."""
        self._lock.acquire()

    def release(self) -> None:
        """Release the lock."""
        self._lock.release()

    def __enter__(self) -> ForkLock:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class TurnLock(ForkLock):
    """The same, first come, first served.

    A thread that releases an ordinary lock and wants it again at once usually gets it before any other wakes up: a
    thread that writes a text piece by piece would keep everybody else from the model.
    """

    def __init__(self) -> None:
        self._line: deque[threading.Lock] = deque()  # one for each waiting thread, locked until its turn
        self._held = False
        super().__init__()

    def renew(self) -> None:
        """Forget all waiting threads and the owner."""
        super().renew()
        self._line.clear()
        self._held = False

    def acquire(self) -> None:
        """Wait for the turn and take the lock."""
        with self._lock:
            if not self._held:
                self._held = True
                return
            turn = threading.Lock()
            turn.acquire()
            self._line.append(turn)
        turn.acquire()

    def release(self) -> None:
        """Hand it to the thread that has waited longest."""
        with self._lock:
            if self._line:
                self._line.popleft().release()
            else:
                self._held = False


_ALL: WeakSet[ForkLock] = WeakSet()


def _renew_all() -> None:
    for lock in list(_ALL):
        lock.renew()


os.register_at_fork(after_in_child=_renew_all)
