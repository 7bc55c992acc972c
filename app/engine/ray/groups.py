"""Questions of one kind that wait for each other go to a replica together: a call costs more than a small answer."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.engine.ray.question import Question

# So many go together at most, as one that takes long keeps the others of its group waiting.
MOST_TOGETHER = 8


class LineIsFull(Exception):
    """As many questions wait as may."""


@dataclass
class _Asked:
    question: Question
    woken: threading.Event = field(default_factory=threading.Event)
    group: list[_Asked] = field(default_factory=list)  # that it is to ask for, itself among them
    answer: Any = None
    error: BaseException | None = None


@dataclass
class _Line:
    running: int = 0
    waiting: list[_Asked] = field(default_factory=list)


class Groups:
    """As long as few are asked, each question goes by itself; from then on those that came meanwhile go together.

    Args:
        send: asks a group, and gives an answer for each.
        calls: most on their way at a time, of each kind: as many as replicas can be busy.
        most_waiting: questions of a kind that may wait here.
    """

    def __init__(self, send: Callable[[list[Question]], Sequence[Any]], calls: int, most_waiting: int) -> None:
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
                line.running += 1
                mine.group = [mine]
            elif len(line.waiting) < self._most_waiting:
                line.waiting.append(mine)
            else:
                raise LineIsFull
        if not mine.group:
            mine.woken.wait()
        if mine.group:
            self._ask_for(mine.group, line)
        if mine.error is not None:
            raise mine.error
        return mine.answer

    def _ask_for(self, group: list[_Asked], line: _Line) -> None:
        try:
            for one, answer in zip(group, self._send([one.question for one in group]), strict=True):
                one.answer = answer
        except BaseException as error:  # must reach those who wait for it
            for one in group:
                one.error = error
        with self._guard:
            coming, line.waiting = line.waiting[:MOST_TOGETHER], line.waiting[MOST_TOGETHER:]
            line.running -= not coming
        if coming:
            coming[0].group = coming
            coming[0].woken.set()
        for one in group:
            one.woken.set()
