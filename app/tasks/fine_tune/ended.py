"""What a visit trained: its runs and its last race, without the models."""

from __future__ import annotations

import threading
from dataclasses import replace

from app.engine.visitors.shared import shared
from app.results.tuning.race import Race
from app.tasks.fine_tune.tune import TunedRun
from app.visits import visits

MOST_RUNS = 20


class Ended:
    """Trainings that have ended, by visitor, whichever page process they ran in."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._runs: dict[str, list[TunedRun]] = {}
        self._races: dict[str, Race] = {}

    def remember(self, made: TunedRun | Race, visitor: str) -> None:
        """Keep it until the visit ends."""

        def take() -> None:
            with self._guard:
                if isinstance(made, Race):
                    self._races[visitor] = made
                else:
                    self._runs[visitor] = [*self._runs.get(visitor, []), made][-MOST_RUNS:]

        if visitor:  # a call without a session owns nothing
            visits().get(visitor).own("runs", lambda: self._forget(visitor), take)

    def runs_of(self, visitor: str) -> list[TunedRun]:
        """What was trained in this visit, the oldest first."""
        visits().touch(visitor)
        with self._guard:
            return [*self._runs.get(visitor, [])]

    def race_of(self, visitor: str) -> Race | None:
        """The last race of this visit."""
        visits().touch(visitor)
        with self._guard:
            return self._races.get(visitor)

    def rename(self, visitor: str, name: str, new: str) -> None:
        """Let a run of this visit have the new name of its model."""
        with self._guard:
            for place, run in enumerate(self._runs.get(visitor, [])):
                if run.result.name == name:
                    self._runs[visitor][place] = replace(run, result=replace(run.result, name=new))

    def drop(self, visitor: str, name: str) -> None:
        """Forget a run of this visit, and the texts that it was judged by."""
        with self._guard:
            if visitor in self._runs:
                self._runs[visitor] = [run for run in self._runs[visitor] if run.result.name != name]

    def _forget(self, visitor: str) -> None:
        with self._guard:
            self._runs.pop(visitor, None)
            self._races.pop(visitor, None)


def ended() -> Ended:
    """Those that this process finds."""
    return shared(Ended)
