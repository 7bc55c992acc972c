"""The race as a task: several starting points on the same rows, within the limits of one fine-tuning."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.engine.runtime.device import memory_errors
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.yielding import give_way
from app.errors import PlaygroundError
from app.late_imports import importing
from app.registry.checkpoint import SAVED_AS, Checkpoint
from app.results.tuning.race import Race
from app.settings import settings
from app.tasks.checks import check_models
from app.tasks.fine_tune.kinds import TAGS, kind_of
from app.tasks.fine_tune.rows import RATE_OF, check_examples
from app.tasks.fine_tune.starting import find_start, load_start, method_for, methods_of, read_rows, starting_points
from app.tasks.fine_tune.tune import slot
from app.training.slot import LineIsFull
from app.visits import visits

if TYPE_CHECKING:
    from app.training.plan import Method

# Fewer starting points are no race; more do not finish within a lesson.
FEWEST, MOST = 2, 8
EPOCHS, SHARE = 6, 0.3
# The preselection has one of each family, in the order of the papers.
FAMILIES = ("bag_of_words", "static_vectors", "elmo", "gpt2", "bert")


@dataclass
class Racing:
    """One race, which can be watched and stopped from outside while it runs."""

    ahead: int | None = None  # how many are before it in the queue; None until it is queued
    race: Race | None = None
    stop: threading.Event = field(default_factory=threading.Event)

    def on_wait(self, ahead: int) -> bool:
        """Called by the slot: note the place in the queue."""
        self.ahead = ahead
        return self.stop.is_set()

    def on_report(self, race: Race) -> bool:
        """Called by the race: note its state."""
        self.race = race
        return self.stop.is_set()


def racers_in(language: str) -> list[Checkpoint]:
    """The possible entrants: those that know the language and have no trained classifier yet."""
    here = starting_points()
    return [one for one in here if one.language in (language, "multi") and not SAVED_AS.keys() & {*one.heads}]


def racers_for(language: str, chosen: list[str]) -> list[str]:
    """The chosen starting points if all may take part; else one of each family."""
    offered = racers_in(language)
    if chosen and set(chosen) <= {one.name for one in offered}:
        return chosen
    by_family: dict[str, Checkpoint] = {}
    for one in sorted(offered, key=lambda one: one.source != "bundled"):
        by_family.setdefault(one.family, one)
    return [by_family[family].name for family in FAMILIES if family in by_family]


def run_race(examples: object, models: list[str], visitor: str, racing: Racing) -> Race | None:
    """Wait for the slot and train the starting points; None if it was stopped before anything was done.

    Raises:
        PlaygroundError: `bad_value`, too few or too many starting points, rows whose words have labels, or no races on
            this server; else as `fine_tune`.
    """
    if not settings().race:
        raise PlaygroundError("bad_value", "no_race")
    chosen = check_models(models, MOST)
    if len(chosen) < FEWEST:
        raise PlaygroundError("bad_value", "few_racers", count=FEWEST)
    if kind_of(examples) == TAGS:
        raise PlaygroundError("bad_value", "race_of_tags")
    rows = check_examples(examples)
    starts = [find_start(name) for name in chosen]
    pairs = rows[0].text_pair is not None
    methods = [method_for(one, next(iter(methods_of(one)), ""), pairs=pairs) for one in starts]
    visits().get(visitor).own("training", racing.stop.set)
    try:
        with slot().turn(racing.on_wait) as held:
            return _run(list(zip(starts, methods, strict=True)), rows, racing) if held else None
    except LineIsFull as error:
        raise PlaygroundError("busy", "tuning") from error


def _run(starts: list[tuple[Checkpoint, Method]], rows: list, racing: Racing) -> Race | None:
    with importing():
        from app.training.plan import Plan
        from app.training.race import Entrant, run_race

    def entrant(checkpoint: Checkpoint, method: Method) -> Entrant:
        def load() -> Loaded:
            base = load_start(checkpoint)
            read_rows(base, rows, cut=True)
            return base

        return Entrant(checkpoint.name, load, Plan(EPOCHS, RATE_OF.get(method, 0.0), method=method))

    entrants = [entrant(*start) for start in starts]
    with memory_errors():
        race = give_way(lambda: run_race(entrants, rows, SHARE, settings().tuned_minutes * 60.0, racing.on_report))
    return race if race.done else None
