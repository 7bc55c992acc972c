"""Keeps what was computed lately within a number of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """Values by a key that holds everything they depend on, a visitor's text itself: nobody sees another's.

    Args:
        budget_bytes: of all values together. The last one is always kept.
        size: bytes of a value.
    """

    def __init__(self, budget_bytes: int, size: Callable[[Value], int]) -> None:
        self.budget_bytes, self._size = budget_bytes, size
        self._values: OrderedDict[tuple[object, ...], Value] = OrderedDict()
        self._guard = threading.Lock()

    def get(self, key: tuple[object, ...], make: Callable[[], Value]) -> Value:
        """The value, made if it is not here any more; the ones not asked for longest go."""
        with self._guard:
            if key in self._values:
                self._values.move_to_end(key)
                return self._values[key]
        made = make()
        with self._guard:
            self._values[key] = made
            self._values.move_to_end(key)
            while len(self._values) > 1 and self.bytes > self.budget_bytes:
                self._values.popitem(last=False)
        return made

    @property
    def bytes(self) -> int:
        """All values together."""
        return sum(self._size(value) for value in self._values.values())
