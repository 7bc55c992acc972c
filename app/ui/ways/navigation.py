"""The way through the tabs: all of them in their groups next to the page, and the tab before and after at its foot.

Every name is a link to the tab's address; the page's script (`page.js`) adds what the address keeps from tab to tab.
What is drawn here is the same for every visitor, so it contains every language, and the style sheet shows the
page's.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import gradio as gr

from app.ui.tab import Tab
from app.ui.texts import in_every_language, say
from app.views.html import Attribute, Child, Markup, join, listed, tag


def skip_link() -> gr.HTML:
    """For the keyboard: the first stop of the page leads past its top."""
    return gr.HTML(
        in_every_language(lambda language: tag("a", _said(language, "skip"), class_="skip", href="#tabs")),
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


def link_to(slug: str, language: str, *inside: Child, **more: Attribute) -> Markup:
    """A link to a tab; `more` are further attributes."""
    return tag("a", *inside, href=f"?tab={slug}&lang={language}", data_tab=slug, **more)


def _contents(tabs: Sequence[Tab], shown: Tab, language: str) -> Markup:
    parts = []
    for group, members in groupby(tabs, key=lambda tab: tab.group):
        named = f"group-{group}-{language}" if group else None
        links = (_item(tab, language, current=tab is shown) for tab in members)
        parts.append(tag("p", _said(language, f"group.{group}"), id=named) if named else "")
        parts.append(listed("ul", links, aria_labelledby=named))
    listing, title = f"contents-{language}", _title(shown, language)
    sign, open_tab = tag("span", "☰", aria_hidden="true"), tag("span", title, class_="open-tab")
    return join(
        tag("button", sign, " ", open_tab, type="button", popovertarget=listing),
        tag("nav", *parts, popover=True, id=listing, aria_label=_said(language, "contents")),
        tag("h2", title, class_="heard"),  # the heading of what follows
    )


def _item(tab: Tab, language: str, *, current: bool) -> Markup:
    return link_to(tab.slug, language, _title(tab, language), aria_current=current and "page")


def _title(tab: Tab, language: str) -> str:
    return say(language, tab.slug, "title")


def _ways_on(before: Tab | None, after: Tab | None, language: str) -> Markup:
    links = (_way(tab, language, rel) for tab, rel in ((before, "prev"), (after, "next")) if tab)
    return tag("nav", *links, aria_label=_said(language, "ways_on"))


def _way(tab: Tab, language: str, rel: str) -> Markup:
    title = _title(tab, language)
    name = tag("strong", f"← {title}" if rel == "prev" else f"{title} →")
    return link_to(tab.slug, language, tag("span", say(language, tab.slug, "invite")), " ", name, rel=rel)


def _said(language: str, key: str) -> str:
    return say(language, "playground", key)
