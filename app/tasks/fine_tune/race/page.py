"""The race's requests from the fine-tuning page: rows of the form, entrants, state of the race."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from app.registry.checkpoint import Checkpoint
from app.results.tuning.race import Race
from app.tasks.fine_tune import runs
from app.tasks.fine_tune.page import gather_rows, language_of_lines
from app.tasks.fine_tune.race.run import Racing, racers_for, racers_in


def start(given: tuple[Any, ...], models: list[str], visitor: str) -> Iterator[Racing | Race]:
    """Start a race of the chosen starting points on the rows of the form's fields; see `runs.start_race`.

    Raises:
        PlaygroundError: as `gather_rows` and `runs.start_race`.
    """
    return runs.start_race(gather_rows(*given), models, visitor)


def watch(visitor: str) -> Iterator[Racing | Race]:
    """The visitor's running race, if any."""
    return runs.watch_race(visitor)


def last(visitor: str) -> Race | None:
    """The last race of the visit."""
    return runs.race_of(visitor)


def stop(visitor: str) -> None:
    """End the visitor's race; finished parts are kept."""
    runs.stop_tuning(visitor)


def offered(lines: str) -> list[Checkpoint]:
    """The possible entrants for the language of the rows in the box."""
    return racers_in(language_of_lines(lines))


def first(lines: str, chosen: list[str]) -> list[str]:
    """The entrants: the chosen ones if they know the language of the rows in the box."""
    return racers_for(language_of_lines(lines), chosen)
