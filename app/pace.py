"""How fast questions are answered at the moment, and so how long the ones that wait will take."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

# Without a question that was answered lately nobody knows how long the next takes.
LATELY_SECONDS, UNKNOWN_SECONDS, LONGEST_SECONDS = 60, 10, 600


class Pace:
    """How fast questions are answered at the moment.

    Args:
        clock: seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._answered: deque[float] = deque(maxlen=50)

    def answered(self) -> None:
        """Another one is."""
        self._answered.append(self._clock())

    def seconds(self, count: int) -> int:
        """About how long so many take: as long as it took for so many lately."""
        now = self._clock()
        lately = [at for at in self._answered if now - at <= LATELY_SECONDS]
        if not lately:
            return UNKNOWN_SECONDS
        each = (now - lately[0]) / len(lately)
        return min(LONGEST_SECONDS, max(1, math.ceil(count * each)))
