"""Things that visitors own, within a budget: each belongs to one visitor, none stays long unused.

An owner is the key of a visit (a page's or an API client's session). Nobody else's key finds a thing, nor learns that
it exists.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar


class Thing(Protocol):
    """Something with a size, which is told the name that its owner gives it."""

    @property
    def bytes(self) -> int:
        """What it takes in memory."""
        ...

    def renamed(self, name: str) -> Self:
        """The same under another name."""
        ...


Owned = TypeVar("Owned", bound=Thing)


@dataclass
class _Kept(Generic[Owned]):
    thing: Owned
    used: float  # seconds on the clock


class Kept(Generic[Owned]):
    """Keeps them in memory, the least recently used going first.

    Args:
        budget_bytes: all visitors' things together; the newest is always kept.
        per_visitor: most things of one visitor.
        idle_seconds: things of a visit that asked for none of them for so long are dropped.
        clock: seconds that only grow.
    """

    def __init__(
        self,
        budget_bytes: int,
        per_visitor: int,
        idle_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budget_bytes, self.per_visitor, self.idle_seconds = budget_bytes, per_visitor, idle_seconds
        self._clock = clock
        self._guard = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], _Kept[Owned]] = OrderedDict()  # (owner, name)

    def put(self, owner: str, name: str, thing: Owned) -> None:
        """Keep a thing for its owner."""
        with self._guard:
            self._kept[owner, name] = _Kept(thing, self._clock())
            self._evict(owner)

    def get(self, owner: str, name: str) -> Owned | None:
        """The owner's thing of that name, if it is still there."""
        with self._guard:
            self._drop_idle()
            kept = self._kept.get((owner, name)) if owner else None
            if kept is None:
                return None
            self._kept.move_to_end((owner, name))
            for (whose, _), other in self._kept.items():
                if whose == owner:
                    other.used = self._clock()
            return kept.thing

    def names(self, owner: str) -> list[str]:
        """The owner's things, the most recently used last."""
        with self._guard:
            self._drop_idle()
            return [name for whose, name in self._kept if whose == owner]

    def rename(self, owner: str, name: str, new: str) -> bool:
        """Keep the owner's thing under another name; whether it is there, and the name was free."""
        with self._guard:
            self._drop_idle()
            if (owner, name) not in self._kept or (owner, new) in self._kept:
                return False
            thing = self._kept.pop((owner, name)).thing
            self._kept[owner, new] = _Kept(thing.renamed(new), self._clock())
            return True

    def drop(self, owner: str, name: str) -> bool:
        """Drop one of the owner's things; whether it was there."""
        with self._guard:
            return self._kept.pop((owner, name), None) is not None

    def forget(self, owner: str) -> None:
        """Drop everything of an owner."""
        with self._guard:
            for key in [key for key in self._kept if key[0] == owner]:
                del self._kept[key]

    def _evict(self, owner: str) -> None:
        self._drop_idle()
        own = [key for key in self._kept if key[0] == owner]
        for key in own[: max(0, len(own) - self.per_visitor)]:
            del self._kept[key]
        while len(self._kept) > 1 and sum(kept.thing.bytes for kept in self._kept.values()) > self.budget_bytes:
            self._kept.popitem(last=False)

    def _drop_idle(self) -> None:
        oldest = self._clock() - self.idle_seconds
        for key in [key for key, kept in self._kept.items() if kept.used < oldest]:
            del self._kept[key]
