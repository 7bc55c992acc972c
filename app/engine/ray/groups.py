"""Questions of one kind that wait for each other go to a replica together: a call costs more than a small answer."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.ray.question import Question

# So many go together at most, as all of a group are answered when the last one is.
MOST_TOGETHER = 32
# Who was answered in a group asks again at about the same time: so long the first of them waits for the others.
COMPANY_SECONDS = 0.004


Send = Callable[[list[Question], bool], Sequence[Any]]


class LineIsFull(Exception):
    """As many questions wait as may."""


@dataclass(eq=False)
class _Asked:
    question: Question
    woken: threading.Event = field(default_factory=threading.Event)
    leads: bool = False  # it is its turn to ask, for others too
    answer: Any = None
    error: BaseException | None = None


@dataclass
class _Line:
    running: int = 0  # calls on their way, or about to be
    asked: int = 0  # questions in them
    waiting: list[_Asked] = field(default_factory=list)

    def company(self, calls: int) -> list[_Asked]:
        """Who goes along with one that leads: its share of all that are there, so that replicas have alike much."""
        share = -(-(self.asked + len(self.waiting)) // calls)
        taken = self.waiting[: max(0, min(share, MOST_TOGETHER) - 1)]
        del self.waiting[: len(taken)]
        self.asked += len(taken)
        return taken


class Groups:
    """As long as few are asked, each question goes by itself; from then on those that wait go together.

    Args:
        send: asks a group, and gives an answer for each. It is told whether the group goes beside others of its kind
            while more are asked than there are calls: so much is worth another replica's loading the checkpoint.
        calls: most on their way at a time, of each kind: as many as replicas can be busy.
        most_waiting: questions of a kind that may wait here.
    """

    def __init__(self, send: Send, calls: int, most_waiting: int) -> None:
        self._send, self._calls, self._most_waiting = send, calls, most_waiting
        self._guard = threading.Lock()
        self._lines: defaultdict[Hashable, _Line] = defaultdict(_Line)

    def ask(self, kind: Hashable, question: Question) -> Any:
        """The answer.

        Raises:
            LineIsFull: too many of the kind wait.
        """
        mine = _Asked(question)
        with self._guard:
            line = self._lines[kind]
            if line.running < self._calls:
                line.running, line.asked, mine.leads = line.running + 1, line.asked + 1, True
            elif len(line.waiting) < self._most_waiting:
                line.waiting.append(mine)
            else:
                raise LineIsFull
        if not mine.leads:
            mine.woken.wait()
        if mine.leads:
            self._lead(mine, line)
        if mine.error is not None:
            raise mine.error
        return mine.answer

    def _lead(self, mine: _Asked, line: _Line) -> None:
        """Ask for this one and those that go along. Who then waits first leads the next group."""
        with self._guard:
            many = line.asked + len(line.waiting) > self._calls
        if many:
            time.sleep(COMPANY_SECONDS)
        with self._guard:
            group, sought = [mine, *line.company(self._calls)], many and line.running > 1
        try:
            for one, answer in zip(group, self._send([one.question for one in group], sought), strict=True):
                one.answer = answer
        except BaseException as error:  # must reach those who wait for it
            for one in group:
                one.error = error
        with self._guard:
            following = line.waiting[:1]
            del line.waiting[:1]
            line.running, line.asked = line.running - 1 + len(following), line.asked - len(group) + len(following)
        for one in following:
            one.leads = True
        for one in (*group, *following):
            one.woken.set()
