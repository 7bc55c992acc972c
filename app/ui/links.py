"""A tab's fields and the address: a link restores them, the way to another tab or language loses nothing of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.components import Component

from app.registry.lookup import may_be_named
from app.settings import settings
from app.ui.events import OPENING, PRIVATE, QUICK
from app.ui.first_answers import NOTHING, FirstAnswer, Opening
from app.ui.gradio_internals.components import as_update
from app.ui.texts import LANGUAGES, language_of, mark, say
from app.views.html import join

# Of a link's models that are not here, this number is named, and this length of each name.
MOST_NAMED, LONGEST_NAMED = 3, 60
# Under these keys a link names models.
MODEL_KEYS = ("model", "other")
# What a visitor can set, and the browser can keep.
SETTINGS = (gr.Checkbox, gr.Dropdown, gr.Number, gr.Radio, gr.Slider, gr.Textbox)
# Pages are opened past the queue, where Gradio tells no visitor anything: it writes what it is to tell into the log.
_telling: ContextVar[bool] = ContextVar("telling", default=True)


@dataclass(frozen=True)
class Link:
    """A tab's link.

    Attributes:
        fields: by their keys in the address.
        run: the button that answers; empty where a link answers nothing.
        button: that copies the link; None where there is none.
    """

    fields: dict[str, Component]
    run: str
    button: gr.Button | None = None


def links_of(page: gr.Blocks) -> dict[str, Link]:
    """The links of the page's tabs, by slug."""
    if not hasattr(page, "links"):
        page.links = {}
    return page.links


def linked_fields(request: gr.Request, slug: str) -> dict[str, str]:
    """What the address says of a tab's fields: nothing where it names another tab."""
    query = dict(request.query_params)
    return query if query.get("tab", slug) == slug else {}


def linked_models(given: Mapping[str, str], offered: Container[str], most: int, language: str) -> list[str]:
    """The models that a link names, of those that a picker takes; a warning says where they are too many."""
    named = [name for name in given.get("model", "").split(",") if name in offered or may_be_named(name)]
    if len(named) > most:
        _warn(say(language, "playground", "link_models", count=len(named), most=most))
    return named[:most]


def linked_number(given: Mapping[str, str], key: str, otherwise: float, most: float, language: str) -> float:
    """A number of the address from 0 to `most`; another one, with a word, where it is none or beyond."""
    if key not in given:
        return otherwise
    with suppress(ValueError):
        number = float(given[key])
        if 0 <= number <= most:
            return number
    told = {"field": key, "given": given[key][:LONGEST_NAMED], "most": f"{most:g}", "taken": f"{otherwise:g}"}
    _warn(say(language, "playground", "link_number", **told))
    return otherwise


def copy_link(page: gr.Blocks, slug: str, fields: dict[str, Component], run: str = "run") -> gr.Button:
    """A button that puts the tab's fields into the address and the address on the clipboard.

    What is typed into these fields is kept by the browser until its tab is closed.

    Args:
        page: the page that is being drawn.
        slug: of the tab.
        fields: by their keys in the address.
        run: the button that following the link presses, `slug-run`; none for an empty name.
    """
    button = gr.Button(mark("playground", "copy_link"), size="sm", min_width=140, elem_id=f"{slug}-link")
    links_of(page)[slug] = Link(fields, f"{slug}-{run}" if run else "", button)
    told = {code: [say(code, "playground", key) for key in ("copied", "not_copied")] for code in LANGUAGES}
    given = ", ".join([json.dumps(slug), json.dumps(list(fields)), "values", json.dumps(bool(run)), json.dumps(told)])
    button.click(None, list(fields.values()), None, js=f"(...values) => playground.copyLink({given})", **PRIVATE)
    return button


def name_fields(page: gr.Blocks, slug: str, fields: dict[str, Component]) -> None:
    """Fields of a tab that no link restores, by the names that its program has for them (`ways.code`)."""
    links_of(page)[slug] = Link(fields, "")


def open_filled(
    page: gr.Blocks,
    slug: str,
    on_open: Callable[[gr.Request], Any],
    filled: Sequence[Component],
    kept: Sequence[Component] = (),
) -> gr.events.Dependency:
    """Fill a tab that begins with no question: the page has its values from the start, its session gets them here.

    Args:
        page: the page that is being drawn.
        slug: of the tab.
        on_open: makes the values.
        filled: what gets them.
        kept: fields whose values the browser keeps, as it keeps those of a link.
    """
    opened = _opened(page, Opening(slug, on_open, filled))
    if kept:
        _typed(opened, slug, kept_fields(kept), "", '""', ())
    return opened


def open_linked(
    page: gr.Blocks,
    slug: str,
    on_open: Callable[[gr.Request], Any],
    filled: Sequence[Component],
    first: FirstAnswer,
    kept: Sequence[Component] = (),
) -> gr.events.Dependency:
    """Fill the tab when the page is opened, with its first answer; answer at once where the link asks for it.

    The browser keeps the link's fields, the question's other settings, and what is in `kept`.
    """
    link, question = links_of(page).get(slug, Link({}, "")), first.question
    opened = _opened(page, Opening(slug, on_open, filled, first, tuple(link.fields)))
    others = [one for one in (*question.asked, *kept) if one not in link.fields.values()] if link.run else []
    fields = link.fields | kept_fields(others)
    typed = _typed(opened, slug, fields, link.run, question.group, question.asked)
    return typed.then(None, None, None, js="() => playground.begin()", **PRIVATE)


def kept_fields(components: Sequence[Component]) -> dict[str, Component]:
    """Those that a visitor can see and set, by keys that no address has; columns of a file go with the file."""
    settings = [one for one in components if isinstance(one, SETTINGS) and one.visible is True]
    return {f"setting {place}": one for place, one in enumerate(settings)}


def _typed(
    opened: gr.events.Dependency, slug: str, fields: Mapping[str, Component], run: str, group: str,
    asked: Sequence[Component],
) -> gr.events.Dependency:  # fmt: skip
    """Put into the fields what the visitor had typed there, and keep what is typed from then on."""
    shown, keys = [*fields.values()], json.dumps(list(fields))
    js = f"(...values) => playground.filled({json.dumps(slug)}, {keys}, values, {json.dumps(run)}, {group})"
    if shown:
        gr.on([field.change for field in shown], None, shown, None, js=_keep(slug, keys), **PRIVATE)
    return opened.then(None, [*shown, *asked], shown, js=js, **PRIVATE)


def _for_outputs(values: list[Any]) -> Any:
    """Values as Gradio takes them: of an event with one output it takes a list for that output's value."""
    return values[0] if len(values) == 1 else values


def _opened(page: gr.Blocks, opening: Opening) -> gr.events.Dependency:
    """What happens when the page is open: it receives what it did not bring, and later an answer in preparation."""
    openings_of(page).append(opening)
    brought = gr.JSON(visible=False)

    def on_load(brought: str | None, request: gr.Request) -> Any:
        """Fill the tab; what of the link cannot be followed is reported later (`tell_of_link`)."""
        with _silence():
            return _for_outputs(opening.load(request, brought or NOTHING))

    def on_late(request: gr.Request) -> Any:
        """The answer, as soon as the server has it; the page's script asks where it came without one."""
        if settings().warm:
            opening.make(language_of(request))
        return _for_outputs(opening.load(request)[len(opening.filled) :])

    if opening.first:
        late = gr.Button(visible="hidden", elem_id=f"{opening.slug}-late")
        late.click(on_late, None, [*opening.first.question.shown], show_progress="hidden", **OPENING, **PRIVATE)
    return page.load(on_load, brought, opening.shown, js="() => playground.opened()", **QUICK)


def _keep(slug: str, keys: str) -> str:
    return f"(...values) => playground.keep({json.dumps(slug)}, {keys}, values)"


@contextmanager
def _silence() -> Iterator[None]:
    token = _telling.set(False)
    try:
        yield
    finally:
        _telling.reset(token)


def _warn(message: str) -> None:
    if _telling.get():
        gr.Warning(join(message))  # which Gradio takes for HTML


def tell_of_link(page: gr.Blocks, slug: str) -> None:
    """Say what of the address cannot be followed; the page's script asks where the address says more than its tab."""
    told = gr.Button(visible="hidden", elem_id="link-told")

    def on_told(request: gr.Request) -> None:
        language = language_of(request)
        if request.query_params.get("tab", slug) not in page.slugs:
            _warn(say(language, "playground", "link_tab"))
        opening = next((one for one in openings_of(page) if one.slug == slug), None)
        link = links_of(page).get(slug, Link({}, ""))
        if opening and set(link.fields) & set(linked_fields(request, slug)):
            filled = dict(zip(opening.filled, opening.on_open(request), strict=True))
            pickers = {key: link.fields[key] for key in MODEL_KEYS if link.fields.get(key) in filled}
            say_missing(request, slug, {key: (one, filled[one]) for key, one in pickers.items()})

    told.click(on_told, None, None, show_progress="hidden", **PRIVATE)


def say_missing(request: gr.Request, slug: str, filled: Mapping[str, tuple[Component, Any]]) -> None:
    """A model that a link names and the tab did not take is not replaced without a word.

    Args:
        request: of the page.
        slug: of the tab.
        filled: by their keys in the address, the tab's pickers of models and their values.
    """
    given, missing = linked_fields(request, slug), []
    for key, (picker, value) in filled.items():
        named = [name for name in given.get(key, "").split(",") if name]
        change = as_update(value)
        chosen = change.get("value") if isinstance(change, dict) else change
        taken = chosen if isinstance(chosen, list) else [chosen]
        if len(taken) < (picker.max_choices or 1) or not set(taken) <= set(named):  # else the others were too many
            missing += [name[:LONGEST_NAMED] for name in named if name not in taken]
    if missing:
        _warn(say(language_of(request), "playground", "link_model", model=", ".join(missing[:MOST_NAMED])))


def openings_of(page: gr.Blocks) -> list[Opening]:
    """How the page's tabs open, in their order."""
    if not hasattr(page, "openings"):
        page.openings = []
    return page.openings


def language_buttons(page: gr.Blocks, slug: str, buttons: Mapping[str, gr.Button]) -> None:
    """Wire the buttons that change the language, when the tab is drawn."""
    link = links_of(page).get(slug, Link({}, ""))
    for code, button in buttons.items():
        js = f"() => playground.speak({json.dumps(code)}, {json.dumps(list(link.fields))})"
        button.click(None, None, None, js=js, **PRIVATE)
