"""One training at a time; others wait in a queue and know their place. Knows no model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# How often a waiting visitor is told the place and asked whether to go on waiting.
SECONDS_BETWEEN_LOOKS = 0.3


class LineIsFull(Exception):
    """The queue is full."""


class TrainingSlot:
    """First come, first served.

    Args:
        waiting: the most that may wait in the queue.
    """

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self._line: list[object] = []  # the first one has the slot
        self._moved = threading.Condition()

    @contextmanager
    def turn(self, on_wait: Callable[[int], bool | None] = lambda ahead: None) -> Iterator[bool]:
        """Hold the slot inside the `with` block.

        Args:
            on_wait: called repeatedly with the number of visitors ahead; returning True gives up the place.

        Yields:
            Whether the slot is held; False if the visitor left the queue.

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
