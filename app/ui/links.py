"""Tabs and the address: a link restores the fields, Back goes to the tab before, a change of language loses nothing."""

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
from app.ui.events import PRIVATE, QUICK
from app.ui.first_answers import FirstAnswer, Opening
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
    """What the address says of a tab's fields: all of it for the tab that is named, `slug.key` for the others."""
    query = dict(request.query_params)
    own = {key.removeprefix(f"{slug}."): value for key, value in query.items() if key.startswith(f"{slug}.")}
    return {**(query if query.get("tab", slug) == slug else {}), **own}


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


def open_linked(
    page: gr.Blocks,
    slug: str,
    on_open: Callable[[gr.Request], Any],
    filled: Sequence[Component],
    first: FirstAnswer,
) -> gr.events.Dependency:
    """Fill the tab when the page is opened, with its first answer; answer at once where the link asks for it."""
    link, question = links_of(page).get(slug, Link({}, "")), first.question
    opening = Opening(slug, on_open, filled, first)
    openings_of(page).append(opening)

    def on_load(request: gr.Request) -> list[Any]:
        """Fill the tab, and say what of the link cannot be followed."""
        say_missing(request, slug)
        return opening.load(request)

    opened = page.load(on_load, None, [*filled, *question.shown], **QUICK)
    given = f"{json.dumps(slug)}, {json.dumps(list(link.fields))}, values, {json.dumps(link.run)}, {question.group}"
    return opened.then(
        None,
        [*link.fields.values(), *question.asked],
        None,
        js=f"(...values) => playground.filled({given})",
        **PRIVATE,
    )


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


def language_buttons(page: gr.Blocks) -> None:
    """Wire the buttons that change the language, when all tabs are drawn."""
    links = links_of(page)
    keys = json.dumps({slug: list(link.fields) for slug, link in links.items()})
    fields = [field for link in links.values() for field in link.fields.values()]
    for code, button in page.languages.items():
        js = f"(...values) => playground.speak({json.dumps(code)}, {keys}, values)"
        button.click(None, fields, None, js=js, **PRIVATE)


def follow_tabs(page: gr.Blocks, row: gr.Tabs, tabs: dict[str, gr.Tab]) -> None:
    """Let the address name the tab, so that Back and Forward go from tab to tab instead of off the page."""
    slugs = json.dumps(list(tabs))
    for slug, tab in tabs.items():
        tab.select(None, None, None, js=f"() => playground.visit({json.dumps(slug)}, {slugs})", **PRIVATE)
    # Pressed by the browser's Back and Forward; the way to choose a tab from outside Gradio.
    back = gr.Button(visible="hidden", elem_id="to-tab")
    chosen = f"() => (playground.mark(), {{ __type__: 'update', selected: playground.tab({slugs}) }})"
    back.click(None, None, row, js=chosen, **PRIVATE)
    pressed = "() => { addEventListener('popstate', () => document.getElementById('to-tab').click()); }"
    page.load(None, None, None, js=pressed, **PRIVATE)
