"""The way through the tabs: all of them in their groups next to the page, and the tab before and after at its foot.

Every name is a link to the tab's address; the page's script (`page.js`) adds what the address keeps from tab to tab.
What is drawn here is the same for every visitor, so it contains every language, and the style sheet shows the
page's.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import groupby

import gradio as gr

from app.ui.tab import Tab
from app.ui.texts import in_every_language, say


def skip_link() -> gr.HTML:
    """For the keyboard: the first stop of the page leads past its top."""
    return gr.HTML(
        in_every_language(lambda language: f"<a class='skip' href='#tabs'>{_said(language, 'skip')}</a>"),
        elem_id="skip",
    )


def contents(tabs: Sequence[Tab], shown: Tab) -> gr.HTML:
    """All tabs under the names of their groups; on a narrow screen under a button with the name of the one shown."""
    return gr.HTML(in_every_language(lambda language: _contents(tabs, shown, language)), elem_id="contents")


def ways_on(tabs: Sequence[Tab], tab: Tab) -> gr.HTML:
    """The foot of a tab: the one before it and the one after it, each with a reason to go there."""
    at = tabs.index(tab)
    before, after = tabs[at - 1] if at else None, tabs[at + 1] if at + 1 < len(tabs) else None
    return gr.HTML(in_every_language(lambda language: _ways_on(before, after, language)), elem_classes="ways-on")


def link_to(slug: str, language: str, inside: str, more: str = "") -> str:
    """A link to a tab around some HTML; `more` are further attributes."""
    return f"<a href='?tab={slug}&amp;lang={language}' data-tab='{slug}'{more}>{inside}</a>"


def _contents(tabs: Sequence[Tab], shown: Tab, language: str) -> str:
    parts = []
    for group, members in groupby(tabs, key=lambda tab: tab.group):
        name = f"<p id='group-{group}-{language}'>{_said(language, f'group.{group}')}</p>" if group else ""
        labelled = f" aria-labelledby='group-{group}-{language}'" if group else ""
        links = (_item(tab, language, current=tab is shown) for tab in members)
        parts.append(f"{name}<ul{labelled}>{''.join(links)}</ul>")
    name = _said(language, "contents")
    return (
        f"<button type='button' popovertarget='contents-{language}'><span aria-hidden='true'>☰</span> "
        f"<span class='open-tab'>{_title(shown, language)}</span></button>"
        f"<nav popover id='contents-{language}' aria-label='{name}'>{''.join(parts)}</nav>"
        f"<h2 class='heard'>{_title(shown, language)}</h2>"  # the heading of what follows
    )


def _item(tab: Tab, language: str, *, current: bool) -> str:
    marked = " aria-current='page'" if current else ""
    return f"<li>{link_to(tab.slug, language, _title(tab, language), marked)}</li>"


def _title(tab: Tab, language: str) -> str:
    return escape(say(language, tab.slug, "title"))


def _ways_on(before: Tab | None, after: Tab | None, language: str) -> str:
    links = [_way(tab, language, rel) for tab, rel in ((before, "prev"), (after, "next")) if tab]
    return f"<nav aria-label='{_said(language, 'ways_on')}'>{''.join(links)}</nav>"


def _way(tab: Tab, language: str, rel: str) -> str:
    title = _title(tab, language)
    name = f"← {title}" if rel == "prev" else f"{title} →"
    inside = f"<span>{escape(say(language, tab.slug, 'invite'))}</span> <strong>{name}</strong>"
    return link_to(tab.slug, language, inside, f" rel='{rel}'")


def _said(language: str, key: str) -> str:
    return escape(say(language, "playground", key))
