"""Below a model picker: what of the choice is not on this machine, a bar while it comes, and buttons to start and stop.

The tab hands over its tasks (`app.tasks.downloads`): this package knows no engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import gradio as gr

from app.errors import PlaygroundError
from app.registry.lookup import for_task, may_be_named
from app.results.downloads import DownloadState
from app.ui.events import PRIVATE, QUICK, sentence_as_html
from app.ui.texts import language_of, mark, say
from app.ui.widgets import model_choices
from app.views.html import Markup, join, tag
from app.views.notes import draw_note

SLUG = "downloads"
# The bar moves this often.
SECONDS = 1.5
UNDER_WAY = ("waiting", "running")
# A picker's choices for a visitor: labels, which say what is on this machine, and names.
Choices = Callable[[gr.Request], list[tuple[str, str]]]


class DownloadTasks(Protocol):
    """What the panel asks for."""

    def download_states(self, models: list[str]) -> list[DownloadState]:
        """The state of each."""

    def start_downloads(self, models: list[str], visitor: str) -> list[DownloadState]:
        """Begin those that are not here."""

    def cancel_downloads(self, models: list[str], visitor: str) -> list[DownloadState]:
        """Withdraw this visitor's wish."""

    def ready_models(self, task: str) -> set[str]:
        """Those that serve a task and are on this machine."""


def download_panel(models: gr.Dropdown, tasks: DownloadTasks, offered: str | Choices, *, second: bool = False) -> None:
    """Draw the panel below a picker and let it follow the choice; the picker takes any `owner/name`, too.

    Args:
        models: the picker, of one model or several.
        tasks: what starts, stops and watches downloads.
        offered: what the picker offers: the checkpoints of a task, by its name, or what this makes of a visitor's
            request. Its labels are refreshed when a model has arrived and when the picker is opened.
        second: the picker stands below another one, which says already that any model can be named.
    """
    if may_be_named("owner/name"):
        models.allow_custom_value = True
        # Once a handler has filled the picker, Gradio rebuilds it from these for the visitor.
        models.constructor_args["allow_custom_value"] = True
        models.info = models.info or (None if second else mark(SLUG, "own"))
    shown = gr.HTML(visible=False, elem_classes="downloads")
    with gr.Row(visible=False) as buttons:
        start = gr.Button(mark(SLUG, "start"), size="sm", variant="primary", scale=0, min_width=150)
        cancel = gr.Button(mark(SLUG, "cancel"), size="sm", scale=0, min_width=150, visible=False)
    timer = gr.Timer(SECONDS, active=False)
    was = gr.State([])  # what this page saw missing: only these are announced when they arrive
    choices = of_task(tasks, offered) if isinstance(offered, str) else offered
    _follow(models, tasks, choices, [shown, buttons, start, cancel, timer, was])


def keep_labels(models: gr.Dropdown, choices: Choices) -> None:
    """Refresh a picker's labels, which say what is on this machine, whenever it is opened."""

    def on_focus(chosen: object, request: gr.Request) -> gr.Dropdown:
        return labelled(choices, chosen, request)

    models.focus(on_focus, models, models, **QUICK)


def labelled(choices: Choices, chosen: object, request: gr.Request) -> gr.Dropdown:
    """The picker with the labels of now; what is not offered any more is chosen no more."""
    made = choices(request)
    known = {name for _, name in made}
    kept = [name for name in _names(chosen) if name in known or may_be_named(name)]
    if isinstance(chosen, list):
        return gr.Dropdown(choices=made, value=kept)
    return gr.Dropdown(choices=made, value=kept[0] if kept else chosen if chosen in known else None)


def of_task(tasks: DownloadTasks, task: str) -> Choices:
    """A picker's choices: all checkpoints of a task."""
    return lambda request: model_choices(language_of(request), for_task(task), tasks.ready_models(task))


def or_none(choices: Choices, slug: str) -> Choices:
    """The choices of a second picker, which may stay without a model; a tab's own words for that come first."""
    return lambda request: [(say(language_of(request), slug, "compare_none"), ""), *choices(request)]


def _follow(models: gr.Dropdown, tasks: DownloadTasks, choices: Choices, answered: list[gr.Component]) -> None:
    """Keep the panel's parts, the last of which is what was seen missing, and the picker's labels at what is true."""
    *_, start, cancel, timer, was = answered

    def on_tick(chosen: object, missed: list[str], request: gr.Request) -> tuple[object, ...]:
        states = tasks.download_states(_names(chosen))
        came = any(state.status == "ready" and state.model in missed for state in states)
        picker = labelled(choices, chosen, request) if came else gr.skip()
        return *_show(states, missed, language_of(request)), picker

    def on_look(chosen: object, missed: list[str], request: gr.Request) -> tuple[object, ...]:
        return _show(tasks.download_states(_names(chosen)), missed, language_of(request))

    def on_start(chosen: object, missed: list[str], request: gr.Request) -> tuple[object, ...]:
        states = tasks.start_downloads(_names(chosen), request.session_hash or "")
        return _show(states, missed, language_of(request))

    def on_cancel(chosen: object, missed: list[str], request: gr.Request) -> tuple[object, ...]:
        states = tasks.cancel_downloads(_names(chosen), request.session_hash or "")
        return _show(states, missed, language_of(request))

    asked, quiet = [models, was], {"show_progress": "hidden", **PRIVATE}
    models.change(on_look, asked, answered, **QUICK)
    timer.tick(on_tick, asked, [*answered, models], **QUICK)
    keep_labels(models, choices)
    start.click(on_start, asked, answered, **quiet)
    cancel.click(on_cancel, asked, answered, **quiet)


def _names(chosen: object) -> list[str]:
    names = chosen if isinstance(chosen, list) else [chosen]
    return [name for name in names if isinstance(name, str) and name]


def _show(states: Sequence[DownloadState], missed: list[str], language: str) -> tuple[object, ...]:
    """Updates of the panel's parts."""
    missing = [state for state in states if state.status != "ready"]
    said = [state for state in states if state.status != "ready" or state.model in missed]
    under_way = any(state.status in UNDER_WAY for state in missing)
    startable = any(state.status in ("absent", "failed") and state.startable for state in missing)
    return (
        gr.HTML(join(*(draw_state(state, language) for state in said)), visible=bool(said)),
        gr.Row(visible=startable or under_way),
        gr.Button(visible=startable),
        gr.Button(visible=under_way),
        # A run, too, fetches what it needs: the bar has to show it.
        gr.Timer(SECONDS, active=any(state.startable for state in missing)),
        list(dict.fromkeys([*missed, *(state.model for state in missing)])),
    )


def draw_state(state: DownloadState, language: str) -> Markup:
    """One model's line, with a bar while it comes."""
    if isinstance(state.error, PlaygroundError):
        return draw_note(sentence_as_html(state.error, language))
    words = {"model": state.model, "size": in_bytes(state.total_bytes), "received": in_bytes(state.received_bytes)}
    key = "absent_unknown" if state.status == "absent" and not state.total_bytes else state.status
    said = [say(language, SLUG, key, **words)]
    if state.status != "running":
        return tag("p", *said, class_="download")
    if state.bytes_per_second:
        said.append(say(language, SLUG, "speed", speed=in_bytes(state.bytes_per_second)))
    if state.seconds_left is not None:
        said.append(say(language, SLUG, "left", time=in_words(state.seconds_left, language)))
    named = say(language, SLUG, "bar", model=state.model)
    bar = tag("progress", value=state.received_bytes, max=state.total_bytes, aria_label=named)
    return tag("p", " · ".join(said), bar, class_="download")


def in_bytes(count: float) -> str:
    """`1.2 GB`, `499 MB`, `0.3 MB`, `12 kB`."""
    if count >= 1e9:
        return f"{count / 1e9:.1f} GB"
    if count >= 1e5:
        return f"{count / 1e6:.0f} MB" if count >= 1e7 else f"{count / 1e6:.1f} MB"
    return f"{count / 1e3:.0f} kB"


def in_words(seconds: float, language: str) -> str:
    """A duration, rounded up to what is worth saying."""
    if seconds < 90:
        return say(language, SLUG, "seconds", count=max(1, round(seconds)))
    if seconds < 5_400:
        return say(language, SLUG, "minutes", count=round(seconds / 60))
    return say(language, SLUG, "hours", count=f"{seconds / 3_600:.1f}")
