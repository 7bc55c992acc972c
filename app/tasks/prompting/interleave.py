"""Several texts that grow at the same time, as shown on a page."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing

from app.results.prompting import Writing

# Minimum time between redraws of a page while a text grows.
SECONDS = 0.1


def together(writers: Sequence[Generator[Writing, None, None]], seconds: float = SECONDS) -> Iterator[list[Writing]]:
    """The latest state of all: at once, then at intervals of at least `seconds`, and at the end.

    Closing it stops their models.
    """
    with ExitStack() as stack:
        for writer in writers:
            stack.enter_context(closing(writer))
        latest = [next(writer) for writer in writers]
        running, shown = set(range(len(writers))), time.monotonic()
        yield list(latest)
        while running:
            for index in sorted(running):
                grown = next(writers[index], None)
                latest[index] = grown or latest[index]
                running -= {index} if grown is None else set()
            if not running or time.monotonic() - shown >= seconds:
                shown = time.monotonic()
                yield list(latest)
