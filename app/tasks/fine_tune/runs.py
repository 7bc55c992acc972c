"""A visit's trainings: the running one, which continues when its page is left, and finished ones."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from app.errors import PlaygroundError
from app.results.tuning.race import Race
from app.tasks.fine_tune.ended import ended
from app.tasks.fine_tune.race.run import Racing, run_race
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.tune import TunedRun, Tuning, run_tuning

Rows = list[dict[str, str]]
State = TypeVar("State", Tuning, Racing)
Made = TypeVar("Made", TunedRun, Race)
# A browser redraws the whole curve each time; more often, a long run would leave it no time for the stop button.
SECONDS_BETWEEN_LOOKS = 2.0
# A stopped run still judges the rows kept back; the next one waits this long for it.
SECONDS_FOR_STOPPED = 30.0


class _Running(Generic[State, Made]):
    """A training or race in a thread of its own. Only the thread holds the texts, which are freed when it ends."""

    def __init__(self, state: State, work: Callable[[], Made | None], visitor: str) -> None:
        self.state: State = state
        self.made: Made | None = None
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._work, args=(work, visitor), name="fine-tuning", daemon=True)

    def _work(self, work: Callable[[], Made | None], visitor: str) -> None:
        try:
            self.made = work()
            if self.made is not None:
                ended().remember(self.made, visitor)
        except Exception as error:  # raised in the waiting thread
            self.error = error
        finally:
            with _GUARD:
                _RUNNING.pop(visitor, None)


# By visitor: what is running and can be watched and stopped.
_RUNNING: dict[str, _Running[Any, Any]] = {}
_GUARD = threading.Lock()


def start_tuning(rows: Rows, model: str, options: Options, visitor: str) -> Iterator[Tuning | TunedRun]:
    """Train in the background: yields its state repeatedly and, at the end, the run if it left a model.

    Raises:
        PlaygroundError: `busy`, this visitor has one running; else as `run_tuning`.
    """
    tuning = Tuning()
    return _start(tuning, lambda: run_tuning(rows, model, options, visitor, tuning), visitor)


def start_race(rows: Rows, models: list[str], visitor: str) -> Iterator[Racing | Race]:
    """The same for a race; yields its outcome at the end, if anything was done.

    Raises:
        PlaygroundError: `busy`, this visitor has something running; else as `run_race`.
    """
    racing = Racing()
    return _start(racing, lambda: run_race(rows, models, visitor, racing), visitor)


def _start(state: State, work: Callable[[], Made | None], visitor: str) -> Iterator[State | Made]:
    mine = _Running(state, work, visitor)
    with _GUARD:
        before = _RUNNING.get(visitor)
    if before is not None and before.state.stop.is_set():
        before.thread.join(SECONDS_FOR_STOPPED)
    with _GUARD:
        if visitor in _RUNNING:
            raise PlaygroundError("busy", "own")
        _RUNNING[visitor] = mine
    mine.thread.start()
    yield from _watch(mine)


def watch_tuning(visitor: str) -> Iterator[Tuning | TunedRun]:
    """The running training, if any, for a page opened meanwhile."""
    yield from _watch_own(visitor, Tuning)


def watch_race(visitor: str) -> Iterator[Racing | Race]:
    """The running race, if any, for a page opened meanwhile."""
    yield from _watch_own(visitor, Racing)


def _watch_own(visitor: str, kind: type) -> Iterator[Any]:
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None and isinstance(running.state, kind):
        yield from _watch(running)


def _watch(running: _Running[State, Made]) -> Iterator[State | Made]:
    yield running.state
    while running.thread.is_alive():
        running.thread.join(SECONDS_BETWEEN_LOOKS)
        yield running.state
    if running.error is not None:
        raise running.error
    if running.made is not None:
        yield running.made


def runs_of(visitor: str) -> list[TunedRun]:
    """The trainings of this visit, oldest first."""
    return ended().runs_of(visitor)


def race_of(visitor: str) -> Race | None:
    """The last race of this visit."""
    return ended().race_of(visitor)


def stop_tuning(visitor: str) -> None:
    """End the visitor's training or race, if any; finished parts are kept."""
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None:
        running.state.stop.set()
