"""Admits requests. A full server refuses at once and says how long it will take; so does a full share of a visit.

Knows counts, no queue.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.errors import PlaygroundError
from app.pace import Pace
from app.settings import settings

# Of one visit this number of long questions runs at a time, so that no visit takes all places for them.
RUNNING_PER_VISIT = 4


@dataclass(frozen=True)
class Load:
    """What is on its way when somebody asks.

    Attributes:
        waiting: all that have not begun.
        of_visit: questions of the same visit, running or waiting.
        of_address: the same of all visits from that address.
    """

    waiting: int
    of_visit: int
    of_address: int


def check_share(load: Load, pace: Pace) -> None:
    """Let the question in, or say how long the wait would be.

    Raises:
        PlaygroundError: `busy`: too much is on its way, of this visit, from this address, or of all.
    """
    host = settings()
    for reason, count, limit in (
        ("visit", load.of_visit, host.waiting_per_visit),
        ("address", load.of_address, host.waiting_per_address),
        ("queue", load.waiting, host.waiting),
    ):
        if limit and count >= limit:
            one = 1 if reason == "visit" else count
            raise PlaygroundError("busy", reason, count=count, seconds=pace.seconds(one))
