"""Requests that ask the same of one model while it is busy share its next pass.

A request that finds the model idle runs at once. What arrives meanwhile is gathered by the first of
those who wait, and goes into one batch. Eight sentences of 20 tokens cost 2.8 times one (BERT base, one thread).

Who asks for much asks batch by batch, and lets those go ahead who come a little later with their first one: 2,000 lines
hold up a single sentence for one pass.

Equal rows of a batch are computed once. An answer never comes sooner for that than from an idle model, so that nobody
can tell whether somebody else asked the same; a request that comes while an equal one is running waits for a pass of
its own.
"""

from __future__ import annotations

import itertools
import threading
from bisect import insort
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from app.engine.adapters.batching import TOKENS_PER_BATCH
from app.engine.runtime.device import memory_errors
from app.fork_lock import ForkLock
from app.metrics import count_batch, waiting

Row = TypeVar("Row")
Answer = TypeVar("Answer")

# A pass costs as much as about so many tokens in it do (BERT base on one thread: 45), so each request that joins
# another one's may bring so much padding with it.
PADDING_PER_REQUEST = 40
# For each batch that a request had before, so many later ones go ahead of its next; no more of them than for so many
# batches, so that it comes to an end however many ask.
LATER_PER_BATCH, MOST_BATCHES = 4, 16


@dataclass(eq=False)
class Part(Generic[Row, Answer]):
    """What one request has run at once. `rows` are distinct, `places` say which of them each row of the request is."""

    rows: dict[Hashable, Row]
    places: list[Hashable]
    order: int  # in which they run
    turn: threading.Event = field(default_factory=threading.Event)  # answered, or to gather the next batch
    answers: dict[Hashable, Answer] = field(default_factory=dict)
    done: bool = False  # all answers are there
    error: BaseException | None = None

    @property
    def settled(self) -> bool:
        """Whether it was run."""
        return self.done or self.error is not None


class Batcher(Generic[Row, Answer]):
    """Runs what several threads ask of one model.

    Args:
        run: from rows to their answers, in order; called by one thread at a time, with the lock held.
        lock: held while the model runs.
        length: tokens of a row.
        key: everything of a row that its answer depends on.
        pads: whether rows are filled up to the longest.
    """

    def __init__(
        self,
        run: Callable[[list[Row]], Sequence[Answer]],
        lock: AbstractContextManager,
        length: Callable[[Row], int],
        key: Callable[[Row], Hashable],
        pads: bool = True,
    ) -> None:
        self._run, self._lock, self._length, self._key, self._pads = run, lock, length, key, pads
        self._guard = ForkLock()
        self._waiting: list[Part[Row, Answer]] = []  # in their order
        self._numbers = itertools.count()
        self._busy = False  # some thread gathers or runs a batch

    def answers(self, rows: Sequence[Row], had: int = 0) -> list[Answer]:
        """The rows' answers, in order. Equal rows, of others too, share one, so nobody can write into it.

        Args:
            rows: no more than fit into a batch.
            had: batches that were run of the same request before.
        """
        places = [self._key(row) for row in rows]
        with self._guard:
            order = next(self._numbers) + LATER_PER_BATCH * min(had, MOST_BATCHES)
            part: Part[Row, Answer] = Part(dict(zip(places, rows, strict=True)), places, order)
            insort(self._waiting, part, key=lambda one: one.order)
            leads, self._busy = not self._busy, True
        while not part.settled:
            if not leads:
                with waiting():
                    part.turn.wait()
            if not part.settled:
                part.turn.clear()
                self._lead(part)
            leads = False
        if part.error is not None:
            raise part.error
        return [part.answers[place] for place in part.places]

    def _lead(self, part: Part[Row, Answer]) -> None:
        """Run the batch that begins with the first that waits; the next one leads the next batch.

        Mostly it is this part. Where another one went ahead meanwhile, this thread works for that one.
        """
        parts = [part]
        try:
            with self._lock:
                parts = self._gather()
                count_batch(len(parts))
                self._settle(parts)
        finally:
            with self._guard:
                self._waiting = [other for other in self._waiting if other not in parts]
                following = self._waiting[:1]
                self._busy = bool(following)
            for other in (*following, *parts):
                other.turn.set()

    def _gather(self) -> list[Part[Row, Answer]]:
        """The first part and those that go well with it, the ones of its own length first."""
        with self._guard:
            waiting = list(self._waiting)
        first, *others = waiting
        rows, parts = dict(first.rows), [first]
        longest = self._longest(first)
        for other in sorted(others, key=lambda part: abs(self._longest(part) - longest)):
            together = rows | other.rows
            if self._fits(together, requests=len(parts) + 1):
                rows, parts = together, [*parts, other]
        return parts

    def _longest(self, part: Part[Row, Answer]) -> int:
        return max(map(self._length, part.rows.values()), default=0)

    def _fits(self, rows: dict[Hashable, Row], requests: int) -> bool:
        lengths = [self._length(row) for row in rows.values()]
        size = len(lengths) * max(lengths, default=0) if self._pads else sum(lengths)
        return size <= TOKENS_PER_BATCH and size - sum(lengths) <= PADDING_PER_REQUEST * (requests - 1)

    def _settle(self, parts: list[Part[Row, Answer]]) -> None:
        """Run the parts together; where that fails, each by itself, so that only its own error meets anybody."""
        rows = {key: row for part in parts for key, row in part.rows.items()}
        try:
            with memory_errors():
                answers = dict(zip(rows, map(_shared, self._run(list(rows.values()))), strict=True))
        except BaseException as error:  # must reach those who wait for it
            if len(parts) == 1 or not isinstance(error, Exception):
                for part in parts:
                    part.error = error
                return
            for part in parts:
                self._settle([part])
            return
        for part in parts:
            part.answers, part.done = answers, True


def _shared(answer: Answer) -> Answer:
    """The same, its arrays protected from being written to."""
    for one in answer if isinstance(answer, list | tuple) else [answer]:
        if isinstance(one, np.ndarray):
            one.flags.writeable = False
    return answer
