"""Caches of recent results, bounded in age and in bytes, each on its own and all together."""

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
    value: Value = field(init=False)  # set once it is `made`
    made: bool = False
    bytes: int = 0
    used: int = 0  # turn of the latest request, counted over all caches


class TextCache(Generic[Value]):
    """An LRU cache of results computed from visitors' texts.

    A key contains everything the value depends on, including the text, so no visitor gets another's. Simultaneous
    requests for equal keys share one computation. A value is evicted after a maximum age even without another request.

    Args:
        budget_bytes: of all values together. The latest one is always kept.
        size: gives the bytes of a value.
        seconds: maximum age of a value.
        clock: monotonic seconds.
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
        """The value, computed if it is missing; the least recently used ones are evicted."""
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
        """Drop values that have reached their maximum age."""
        with self._guard:
            self._timer = None
            self._drop_old()
            self._set_timer()

    def oldest(self) -> int | None:
        """The turn of the least recently used entry; None if no entry is made."""
        with self._guard:
            return min((entry.used for entry in self._entries.values() if entry.made), default=None)

    def drop(self, used: int) -> None:
        """Evict the entry of that turn, unless it was requested since."""
        with self._guard:
            for key in [key for key, entry in self._entries.items() if entry.used == used]:
                del self._entries[key]

    @property
    def bytes(self) -> int:
        """Bytes of all values."""
        return sum(entry.bytes for entry in list(self._entries.values()))

    def __len__(self) -> int:
        return len(self._entries)

    def _settle(self, key: tuple[object, ...], entry: _Entry[Value]) -> None:
        """Keep an entry that was made and make room for it; forget one whose computation failed."""
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
    """Bytes in all caches of this process."""
    return sum(cache.bytes for cache in list(_CACHES))


def keep_within(budget_bytes: int, newest: _Entry) -> None:
    """Drop the least recently used entries of all caches until the rest fits; the newest always stays."""
    while bytes_of_all() > budget_bytes:
        oldest = [(used, cache) for cache in list(_CACHES) if (used := cache.oldest()) is not None]
        used, cache = min(oldest, key=lambda found: found[0], default=(newest.used, None))
        if cache is None or used == newest.used:
            return
        cache.drop(used)
