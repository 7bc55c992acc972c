"""How fast questions are currently answered, and thus how long the waiting ones will take."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

# If no question was answered lately, the next one's time is unknown.
LATELY_SECONDS, UNKNOWN_SECONDS, LONGEST_SECONDS = 60, 10, 600


class Pace:
    """How fast questions are currently answered.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answered: deque[float] = deque(maxlen=50)

    def answered(self) -> None:
        """Note that another question was answered."""
        self._answered.append(self._clock())

    def seconds(self, count: int) -> int:
        """The expected time for this many questions, at the latest pace."""
        now = self._clock()
        lately = [at for at in self._answered if now - at <= LATELY_SECONDS]
        if not lately:
            return UNKNOWN_SECONDS
        each = (now - lately[0]) / len(lately)
        return min(LONGEST_SECONDS, max(1, math.ceil(count * each)))
