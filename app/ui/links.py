"""A tab's fields and the address: a link restores them, the way to another tab or language loses nothing of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from typing import Any

import gradio as gr
from gradio.components import Component

from app.registry.lookup import BY_NAME, may_be_named
from app.settings import settings
from app.ui.events import OPENING, PRIVATE, QUICK
from app.ui.first_answers import NOTHING, FirstAnswer, Opening
from app.ui.texts import LANGUAGES, language_of, mark, say

# Of a link's models that are not here, so many are named, and so much of each.
MOST_NAMED, LONGEST_NAMED = 3, 60


@dataclass(frozen=True)
class Link:
    """A tab's fields by their keys in the address, and the button that answers; empty where a link answers nothing."""

    fields: dict[str, Component]
    run: str


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
    """The models that a link names, of those that a picker takes; it is said where they are too many."""
    named = [name for name in given.get("model", "").split(",") if name in offered or may_be_named(name)]
    if len(named) > most:
        gr.Warning(say(language, "playground", "link_models", count=len(named), most=most))
    return named[:most]


def linked_number(given: Mapping[str, str], key: str, otherwise: float, most: float, language: str) -> float:
    """A number of the address from 0 to `most`; another one, with a word, where it is none or beyond."""
    if key not in given:
        return otherwise
    with suppress(ValueError):
        number = float(given[key])
        if 0 <= number <= most:
            return number
    told = {"field": key, "given": escape(given[key][:LONGEST_NAMED]), "most": f"{most:g}", "taken": f"{otherwise:g}"}
    gr.Warning(say(language, "playground", "link_number", **told))
    return otherwise


def copy_link(page: gr.Blocks, slug: str, fields: dict[str, Component], run: str = "run") -> gr.Button:
    """A button that puts the tab's fields into the address and the address on the clipboard.

    What is typed into these fields is kept by the browser until its tab is closed.

    Args:
        page: the page that is being drawn.
        slug: of the tab.
        fields: by their keys in the address.
        run: the button that is pressed for whoever follows the link, `slug-run`; none for an empty name.
    """
    links_of(page)[slug] = Link(fields, f"{slug}-{run}" if run else "")
    button = gr.Button(mark("playground", "copy_link"), size="sm", variant="secondary", elem_id=f"{slug}-link")
    told = {code: [say(code, "playground", key) for key in ("copied", "not_copied")] for code in LANGUAGES}
    given = ", ".join([json.dumps(slug), json.dumps(list(fields)), "values", json.dumps(bool(run)), json.dumps(told)])
    button.click(None, list(fields.values()), None, js=f"(...values) => playground.copyLink({given})", **PRIVATE)
    return button


def name_fields(page: gr.Blocks, slug: str, fields: dict[str, Component]) -> None:
    """Fields of a tab that no link restores, by the names that its program has for them (`ways.code`)."""
    links_of(page)[slug] = Link(fields, "")


def open_filled(
    page: gr.Blocks, slug: str, on_open: Callable[[gr.Request], Any], filled: Sequence[Component]
) -> gr.events.Dependency:
    """Fill a tab that begins with no question: the page has its values from the start, its session gets them here."""
    return _opened(page, Opening(slug, on_open, filled))


def open_linked(
    page: gr.Blocks,
    slug: str,
    on_open: Callable[[gr.Request], Any],
    filled: Sequence[Component],
    first: FirstAnswer,
) -> gr.events.Dependency:
    """Fill the tab when the page is opened, with its first answer; answer at once where the link asks for it."""
    link, question = links_of(page).get(slug, Link({}, "")), first.question
    opened = _opened(page, Opening(slug, on_open, filled, first, tuple(link.fields)))
    fields, keys = [*link.fields.values()], json.dumps(list(link.fields))
    given = f"{json.dumps(slug)}, {keys}, values, {json.dumps(link.run)}, {question.group}"
    js = f"(...values) => playground.filled({given})"
    if fields:
        gr.on([field.change for field in fields], None, fields, None, js=_keep(slug, keys), **PRIVATE)
    typed = opened.then(None, [*fields, *question.asked], fields, js=js, **PRIVATE)
    return typed.then(None, None, None, js="() => playground.begin()", **PRIVATE)


def _for_outputs(values: list[Any]) -> Any:
    """Values as Gradio takes them: of an event with one output it takes a list for that output's value."""
    return values[0] if len(values) == 1 else values


def _opened(page: gr.Blocks, opening: Opening) -> gr.events.Dependency:
    """What happens when the page is open: it gets what it did not bring, and an answer that is still prepared later."""
    openings_of(page).append(opening)
    brought = gr.JSON(visible=False)

    def on_load(brought: str | None, request: gr.Request) -> Any:
        """Fill the tab, and say what of the link cannot be followed."""
        say_missing(request, opening.slug)
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


def say_missing(request: gr.Request, slug: str) -> None:
    """A model that a link names and nobody has here is not replaced without a word."""
    named = linked_fields(request, slug).get("model", "").split(",")
    missing = [name[:LONGEST_NAMED] for name in named if name and name not in BY_NAME and not may_be_named(name)]
    if missing:
        gr.Warning(escape(say(language_of(request), "playground", "link_model", model=", ".join(missing[:MOST_NAMED]))))


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
