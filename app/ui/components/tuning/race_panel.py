"""Below the form: a race of several starting points on its rows. Knows no task and no view; the tab hands them over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

import gradio as gr

from app.registry.checkpoint import Checkpoint
from app.results.tuning.race import Race
from app.settings import settings
from app.ui.components.plots import Figure, plots, shown
from app.ui.components.tuning.start_picker import start_choices
from app.ui.components.tuning.tuning_form import Form
from app.ui.events import PRIVATE, QUICK, TRAINING, friendly, friendly_stream, visitor_of
from app.ui.texts import language_of, mark, texts
from app.views.notes import draw_note

Shown = tuple[Any, ...]
SLUG = "fine_tune"


class Racing(Protocol):
    """A race that is running."""

    ahead: int | None
    race: Race | None


class RaceTasks(Protocol):
    """What the panel asks for; `app.tasks.fine_tune.race.page` is it."""

    def start(self, given: tuple[Any, ...], models: list[str], visitor: str) -> Iterable[Racing | Race]:
        """A race on the rows of the form: yields its state repeatedly, and its outcome at the end."""

    def watch(self, visitor: str) -> Iterable[Racing | Race]:
        """The same of a race that is running already."""

    def last(self, visitor: str) -> Race | None:
        """The last race of the visit."""

    def stop(self, visitor: str) -> None:
        """End it."""

    def offered(self, lines: str) -> list[Checkpoint]:
        """The possible entrants, from the rows in the box."""

    def first(self, lines: str, chosen: list[str]) -> list[str]:
        """The entrants to choose, from the rows in the box and those chosen now."""


class RaceView(Protocol):
    """How it is drawn; `app.views.race` is it."""

    def race_status(self, ahead: int | None, race: Race | None, labels: Mapping[str, str]) -> str:
        """A sentence on its state."""

    def draw_race(self, race: Race, labels: Mapping[str, str]) -> str:
        """Its table."""

    def plot_race(self, race: Race, labels: Mapping[str, str]) -> Figure | None:
        """Its plot."""


def race_panel(page: gr.Blocks, form: Form, tasks: RaceTasks, view: RaceView) -> None:
    """Draw the panel and wire its events, unless the host wants no races.

    Args:
        page: the tab.
        form: whose rows are raced on.
        tasks: what runs a race.
        view: what draws one.
    """
    if settings().race:
        _draw(page, form, _Race(tasks, view))


class _Race:
    """The handlers of the panel."""

    def __init__(self, tasks: RaceTasks, view: RaceView) -> None:
        self.tasks, self.view = tasks, view

    def on_open(self, lines: str, chosen: list[str], request: gr.Request) -> gr.CheckboxGroup:
        """The possible entrants, and the chosen ones."""
        choices = start_choices(language_of(request), self.tasks.offered(lines))
        return gr.CheckboxGroup(choices=choices, value=self.tasks.first(lines, chosen or []))

    def on_race(
        self, lines: str, path: str | None, encoding: str, names: bool | None, text_column: str, pair_column: str,
        label_column: str, chosen: list[str], request: gr.Request,
    ) -> Iterator[Shown]:  # fmt: skip
        """Race, and show table and plot as they grow."""
        given = lines, path, encoding, names, text_column, pair_column, label_column
        yield from self._show(self.tasks.start(given, chosen or [], visitor_of(request)), request)

    def on_return(self, request: gr.Request) -> Iterator[Shown]:
        """Show the last race of the visit, and one that was begun before the page was opened."""
        last = self.tasks.last(visitor_of(request))
        if last is not None:
            yield "", *self._drawn(last, request)
        yield from self._show(self.tasks.watch(visitor_of(request)), request)

    def on_stop(self, request: gr.Request) -> None:
        """End the race; what is done is kept."""
        self.tasks.stop(visitor_of(request))

    def _show(self, states: Iterable[Racing | Race], request: gr.Request) -> Iterator[Shown]:
        labels, told, done = texts(SLUG)[language_of(request)], "", 0
        for state in states:
            if isinstance(state, Race):
                told, race, new = "", state, True
            else:
                told, race = self.view.race_status(state.ahead, state.race, labels), state.race
                new = race is not None and race.done > done
            done = race.done if race is not None else done
            yield draw_note(told), *(self._drawn(race, request) if new else (gr.skip(), gr.skip()))
        if told:  # it was stopped before anything was done
            yield draw_note(labels["race.nothing"]), gr.skip(), gr.skip()

    def _drawn(self, race: Race, request: gr.Request) -> tuple[str, gr.Plot]:
        language = language_of(request)
        labels = texts(SLUG)[language]
        return self.view.draw_race(race, labels), shown([self.view.plot_race(race, labels)], 1, language)[0]


def _draw(page: gr.Blocks, form: Form, race: _Race) -> None:
    gr.Markdown(mark(SLUG, "race.title"))
    who = gr.CheckboxGroup(label=mark(SLUG, "race.who"), elem_id="fine_tune-racers")
    with gr.Row():
        start = gr.Button(mark(SLUG, "race.start"), variant="primary", elem_id="fine_tune-race-start")
        stop = gr.Button(mark(SLUG, "race.stop"), elem_id="fine_tune-race-stop")
    status = gr.HTML(elem_id="fine_tune-race-status")
    answered = [status, gr.HTML(elem_id="fine_tune-race-table"), *plots("fine_tune-race")]
    hidden = {"show_progress": "hidden", **PRIVATE}
    opening = friendly(race.on_open), [form.lines, who], who
    begun = friendly_stream(race.on_race), [*form.rows, who], answered
    start.click(*begun, trigger_mode="multiple", **hidden, **TRAINING)
    stop.click(race.on_stop, None, None, **QUICK)
    form.lines.change(*opening, trigger_mode="always_last", **QUICK)
    page.load(*opening, **QUICK).then(friendly_stream(race.on_return), None, answered, **hidden)
