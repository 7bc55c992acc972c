"""One training at a time: whoever comes later waits in line and knows their place. Knows no model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# How often somebody who waits is told their place, and asked whether they still want it.
SECONDS_BETWEEN_LOOKS = 0.3


class LineIsFull(Exception):
    """So many are waiting already that nobody else is let in."""


class TrainingSlot:
    """First come, first served.

    Args:
        waiting: most that may stand in line.
    """

    def __init__(self, waiting: int) -> None:
        self.waiting = waiting
        self._line: list[object] = []  # the first one has the slot
        self._moved = threading.Condition()

    @contextmanager
    def turn(self, on_wait: Callable[[int], bool | None] = lambda ahead: None) -> Iterator[bool]:
        """Hold the slot inside the `with` block.

        Args:
            on_wait: told again and again how many are ahead; returning True gives the place up.

        Yields:
            Whether the slot is held; False when the place was given up.

        Raises:
            LineIsFull: nobody was let in.
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
