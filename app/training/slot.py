"""One training at a time: later ones wait in line and know their place. Knows no model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# How often a waiting visitor's place is reported, and whether they still want it is asked.
SECONDS_BETWEEN_LOOKS = 0.3


class LineIsFull(Exception):
    """The line is full."""


class TrainingSlot:
    """First come, first served.

    Args:
        waiting: most that may wait in line.
    """

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self._line: list[object] = []  # the first one has the slot
        self._moved = threading.Condition()

    @contextmanager
    def turn(self, on_wait: Callable[[int], bool | None] = lambda ahead: None) -> Iterator[bool]:
        """Hold the slot inside the `with` block.

        Args:
            on_wait: called repeatedly with how many are ahead; returning True gives the place up.

        Yields:
            Whether the slot is held; False when the visitor left the line.

        Raises:
            LineIsFull: too many are waiting.
        """
        ticket = object()
        with self._moved:
            if len(self._line) > self.waiting:
                raise LineIsFull
            self._line.append(ticket)
        try:
            yield self._stand(ticket, on_wait)
        finally:
            with self._moved:
                self._line.remove(ticket)
                self._moved.notify_all()

    def _stand(self, ticket: object, on_wait: Callable[[int], bool | None]) -> bool:
        while True:
            with self._moved:
                ahead = self._line.index(ticket)
            if on_wait(ahead):
                return False
            if ahead == 0:
                return True
            with self._moved:
                if self._line.index(ticket) == ahead:
                    self._moved.wait(SECONDS_BETWEEN_LOOKS)
