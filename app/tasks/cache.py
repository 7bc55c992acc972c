"""Keeps what was computed lately, not for long, and within a number of bytes: each cache its own, and all together."""

from __future__ import annotations

import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from weakref import WeakSet

from app.fork_lock import ForkLock
from app.metrics import CACHE_BUDGET, CACHE_BYTES, count_cached
from app.settings import settings

Value = TypeVar("Value")
LONGEST_SECONDS = 900.0
_CACHES: WeakSet[TextCache] = WeakSet()
_TURNS = itertools.count()
CACHE_BYTES.set_function(lambda: bytes_of_all())
CACHE_BUDGET.set_function(lambda: settings().caches_mb * 1_000_000)


@dataclass
class _Entry(Generic[Value]):
    made_at: float
    lock: ForkLock = field(default_factory=ForkLock)  # held while the value is computed
    value: Value = field(init=False)  # there once it is `made`
    made: bool = False
    bytes: int = 0
    used: int = 0  # its place in the order in which entries of all caches were asked for


class TextCache(Generic[Value]):
    """An LRU cache of what was computed from visitors' texts.

    A key holds everything the value depends on, the text included, so that no visitor gets another's. Equal keys that
    are asked for at once are computed once. A value is evicted after a maximum age even without another request.

    Args:
        budget_bytes: of all values together. The last one is always kept.
        size: bytes of a value.
        seconds: the oldest that a value gets.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        budget_bytes: int,
        size: Callable[[Value], int],
        seconds: float = LONGEST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget_bytes, self._size, self.seconds, self._clock = budget_bytes, size, seconds, clock
        self._entries: OrderedDict[tuple[object, ...], _Entry[Value]] = OrderedDict()
        self._guard = ForkLock()
        self._timer: threading.Timer | None = None
        _CACHES.add(self)

    def get(self, key: tuple[object, ...], make: Callable[[], Value]) -> Value:
        """The value, computed if it is not here; the least recently used are evicted."""
        with self._guard:
            self._drop_old()
            entry = self._entries.setdefault(key, _Entry(self._clock()))
            self._entries.move_to_end(key)
            entry.used = next(_TURNS)
        with entry.lock:
            count_cached(entry.made)
            if not entry.made:
                try:
                    entry.value, entry.made = make(), True
                    entry.bytes = self._size(entry.value)
                finally:
                    self._settle(key, entry)
                keep_within(settings().caches_mb * 1_000_000, entry)
            return entry.value

    def drop_old(self) -> None:
        """Drop what has reached its maximum age."""
        with self._guard:
            self._timer = None
            self._drop_old()
            self._set_timer()

    def oldest(self) -> int | None:
        """The place in the order of all of the entry that was not used for longest; None without one that is made."""
        with self._guard:
            return min((entry.used for entry in self._entries.values() if entry.made), default=None)

    def drop(self, used: int) -> None:
        """Evict that entry unless it was requested since."""
        with self._guard:
            for key in [key for key, entry in self._entries.items() if entry.used == used]:
                del self._entries[key]

    @property
    def bytes(self) -> int:
        """All values together."""
        return sum(entry.bytes for entry in list(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)

    def _settle(self, key: tuple[object, ...], entry: _Entry[Value]) -> None:
        """Keep an entry that was made and make room for it; forget one that could not be made."""
        with self._guard:
            if not entry.made:
                if self._entries.get(key) is entry:
                    del self._entries[key]
                return
            while len(self._entries) > 1 and self.bytes > self.budget_bytes:
                self._entries.popitem(last=False)
            self._set_timer()

    def _drop_old(self) -> None:
        oldest = self._clock() - self.seconds
        for key in [key for key, entry in self._entries.items() if entry.made and entry.made_at <= oldest]:
            del self._entries[key]

    def _set_timer(self) -> None:
        if self._timer is None and self._entries:
            self._timer = threading.Timer(self.seconds, self.drop_old)
            self._timer.daemon = True
            self._timer.start()


def bytes_of_all() -> int:
    """What all caches of this process hold together."""
    return sum(cache.bytes for cache in list(_CACHES))


def keep_within(budget_bytes: int, newest: _Entry) -> None:
    """Drop the least recently used entries of all caches until the rest fits; the newest stays in any case."""
    while bytes_of_all() > budget_bytes:
        oldest = [(used, cache) for cache in list(_CACHES) if (used := cache.oldest()) is not None]
        used, cache = min(oldest, key=lambda found: found[0], default=(newest.used, None))
        if cache is None or used == newest.used:
            return
        cache.drop(used)
