"""The drawn navigation: every tab once, in each language, with its chapter and its neighbours."""

from __future__ import annotations

import re

import pytest

import demos
from app.ui.shell import discover
from app.ui.texts import LANGUAGES, texts
from app.ui.ways.navigation import contents, ways_on

TABS = discover(demos)


def part(html: str, language: str) -> str:
    """What of it is in one language."""
    return html.split(f"lang='{language}'>", 1)[1].split("<div class='spoken'", 1)[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tab_is_a_link_under_its_chapter(language: str) -> None:
    drawn = part(contents(TABS, TABS[3]).value, language)
    links = re.findall(r"<a href='\?tab=(\w+)&amp;lang=([\w-]+)' data-tab='(\w+)'", drawn)
    assert links == [(tab.slug, language, tab.slug) for tab in TABS]
    assert re.findall(r"data-tab='(\w+)' aria-current='page'", drawn) == [TABS[3].slug]
    assert f"<span class='open-tab'>{texts(TABS[3].slug)[language]['title']}</span>" in drawn
    for tab in TABS:
        before = drawn[: drawn.index(f"data-tab='{tab.slug}'")]
        labelled = re.findall(r"<ul(?: aria-labelledby='group-(\w+)-[\w-]+')?>", before)
        assert labelled[-1] == tab.group
        assert not tab.group or texts("playground")[language][f"group.{tab.group}"] in before


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_foot_leads_to_both_neighbours_with_their_reason(language: str) -> None:
    for before, tab, after in zip([None, *TABS[:-1]], TABS, [*TABS[1:], None], strict=True):
        drawn = part(ways_on(TABS, tab).value, language)
        assert re.findall(r"data-tab='(\w+)' rel='(\w+)'", drawn) == [
            (one.slug, rel) for one, rel in ((before, "prev"), (after, "next")) if one
        ]
        assert all(texts(one.slug)[language]["title"] in drawn for one in (before, after) if one)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_tabs_invite_alike(language: str) -> None:
    said = [texts(tab.slug)[language]["invite"] for tab in TABS]
    assert len({*said}) == len(said) and all(len(one) <= 90 and one[-1] in ".?。？" for one in said)
