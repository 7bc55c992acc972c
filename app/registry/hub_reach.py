"""Whether the Hub answers, as it was last seen: a page offers no download that can only fail."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cache

SECONDS_TO_ANSWER = 5.0
# How long an answer holds. Where there was none, the network may be back soon.
SECONDS_HELD = {True: 600.0, False: 60.0}


def ask_hub() -> bool:
    """Does the Hub, or the mirror that HF_ENDPOINT names, answer now?"""
    import httpx2
    from huggingface_hub import constants

    try:
        httpx2.head(constants.ENDPOINT, timeout=SECONDS_TO_ANSWER)
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return False
    return True


class HubReach:
    """What is known of it.

    Args:
        ask: whether it answers now.
        clock: seconds that only grow.
    """

    def __init__(self, ask: Callable[[], bool] = ask_hub, clock: Callable[[], float] = time.monotonic) -> None:
        self._ask, self._clock = ask, clock
        self._answered, self._held_until = True, 0.0
        self._asking = threading.Lock()

    def answers(self) -> bool:
        """As it was last seen, without a wait; yes until something else is known. An old answer is refreshed."""
        if self._clock() >= self._held_until and self._asking.acquire(blocking=False):
            threading.Thread(target=self._ask_anew, name="hub-reach", daemon=True).start()
        return self._answered

    def _ask_anew(self) -> None:
        try:
            self._answered = self._ask()
            self._held_until = self._clock() + SECONDS_HELD[self._answered]
        finally:
            self._asking.release()


@cache
def hub_reach() -> HubReach:
    """What this process knows."""
    return HubReach()
