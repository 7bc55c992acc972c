"""What a visit trains: the run in progress, which goes on while its page is left, and those that have ended."""

from __future__ import annotations

import threading
from collections.abc import Iterator

from app.errors import PlaygroundError
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.tune import TunedRun, Tuning, run_tuning
from app.visits import visits

Rows = list[dict[str, str]]
# A browser draws the whole curve anew each time: more often, and a long run leaves it no time for the stop button.
SECONDS_BETWEEN_LOOKS = 2.0
MOST_RUNS = 20


class _Running:
    """A training in a thread of its own. Only the thread holds the texts; they are freed when it ends."""

    def __init__(self, rows: Rows, model: str, options: Options, visitor: str) -> None:
        self.tuning = Tuning()
        self.run: TunedRun | None = None
        self.error: Exception | None = None
        asked = (rows, model, options, visitor)
        self.thread = threading.Thread(target=self._work, args=asked, name="fine-tuning", daemon=True)

    def _work(self, rows: Rows, model: str, options: Options, visitor: str) -> None:
        try:
            self.run = run_tuning(rows, model, options, visitor, self.tuning)
            if self.run is not None:
                _remember(self.run, visitor)
        except Exception as error:  # handed to the one who waits
            self.error = error
        finally:
            with _GUARD:
                _RUNNING.pop(visitor, None)


# By visitor: what can be looked at and stopped, and what has ended.
_RUNNING: dict[str, _Running] = {}
_RUNS: dict[str, list[TunedRun]] = {}
_GUARD = threading.Lock()


def start_tuning(rows: Rows, model: str, options: Options, visitor: str) -> Iterator[Tuning | TunedRun]:
    """Train in the background: where it stands, again and again; in the end the run, if it left a model.

    Raises:
        PlaygroundError: `busy`, this visitor has one running; else as `run_tuning`.
    """
    mine = _Running(rows, model, options, visitor)
    with _GUARD:
        if visitor in _RUNNING:
            raise PlaygroundError("busy", "own")
        _RUNNING[visitor] = mine
    mine.thread.start()
    yield from _watch(mine)


def watch_tuning(visitor: str) -> Iterator[Tuning | TunedRun]:
    """The same for a page that was opened meanwhile; nothing where nothing runs."""
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None:
        yield from _watch(running)


def _watch(running: _Running) -> Iterator[Tuning | TunedRun]:
    yield running.tuning
    while running.thread.is_alive():
        running.thread.join(SECONDS_BETWEEN_LOOKS)
        yield running.tuning
    if running.error is not None:
        raise running.error
    if running.run is not None:
        yield running.run


def runs_of(visitor: str) -> list[TunedRun]:
    """What was trained in this visit, the oldest first."""
    with _GUARD:
        return [*_RUNS.get(visitor, [])]


def _remember(run: TunedRun, visitor: str) -> None:
    def drop() -> None:
        with _GUARD:
            _RUNS.pop(visitor, None)

    def take() -> None:
        with _GUARD:
            _RUNS[visitor] = [*_RUNS.get(visitor, []), run][-MOST_RUNS:]

    if visitor:  # a call without a session owns nothing
        visits().get(visitor).own("runs", drop, take)


def stop_tuning(visitor: str) -> None:
    """End the visitor's training, if there is one; the best so far is kept."""
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None:
        running.tuning.stop.set()
