"""A report's page: its content, no markup from visitors, and what strangers may send."""

from __future__ import annotations

import re
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

import demos
from app.registry.lookup import BY_NAME
from app.ui.report.page import MOST_ENTRIES, MOST_PICTURES, ROUTES, draw_report
from app.ui.shell import discover, playground
from app.ui.texts import LANGUAGES, texts, title, trust

MARKUP = "<img src=x onerror=alert(1)>\"'"


def entry(**more: Any) -> dict[str, Any]:
    """One question of a report."""
    fields = [{"label": "Text", "value": "A [MASK]."}, {"label": "Models", "value": ["bert-mini", "mine"]}]
    return {"tab": "fill_mask", "at": "today", "fields": fields, "text": "dog", "pictures": 2, **more}


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_says_what_was_asked_of_which_model(language: str) -> None:
    drawn = draw_report([entry()], language)
    for said in (texts("fill_mask")[language]["title"], "A [MASK].", "mine", "dog", title(language, "bert-mini")):
        assert said in drawn
    assert BY_NAME["bert-mini"].revision in drawn and trust(language, "bert-mini") in drawn
    assert re.findall(r"data-picture=\"(\d \d)\"", drawn) == ["0 0", "0 1"]


def test_nothing_that_was_sent_is_markup_and_no_host_is_named() -> None:
    fields = [{"label": MARKUP, "value": MARKUP}, {"label": "x", "value": [MARKUP]}]
    drawn = draw_report([entry(tab=MARKUP, at=MARKUP, text=MARKUP, fields=fields)], "en")
    assert "<img src" not in drawn and drawn.count("&lt;img src=x") == 6
    assert not re.search(r"https?:|<[^>]*\s(src|href)=|<script", drawn) and "default-src 'none'" in drawn


@pytest.mark.parametrize(
    "sent",
    [
        {}, {"entries": 3}, {"entries": [3, None]}, {"entries": [{}]}, [], {"entries": [entry(tab="../errors")]},
        {"entries": [entry(tab="errors", fields=3, pictures="x")]}, {"entries": [entry(fields=[3, {}])]},
        {"entries": [entry(fields=[{"label": 1, "value": {"a": [{}]}}, {"label": 1, "value": [[]]}])]},
    ],
    ids=str,
)  # fmt: skip
def test_whatever_is_sent_makes_a_page(sent: object) -> None:
    answer = TestClient(Starlette(routes=ROUTES)).post("/report?lang=zh-CN", json=sent)
    assert answer.status_code == 200 and texts("report")["zh-CN"]["title"] in answer.text
    assert "<head" not in answer.text, "the playground's own scripts are put into pages that have one"


def test_there_are_limits() -> None:
    assert draw_report([entry(pictures=10**9)], "en").count("data-picture") == MOST_PICTURES < MOST_ENTRIES


@pytest.mark.slow
def test_every_tab_but_the_first_ones_has_the_buttons_and_labels_that_a_script_can_hold() -> None:
    page = playground(discover(demos))
    added = {fn.targets[0][0]: fn for fn in page.fns.values() if "playground.report.add" in str(fn.js)}
    tabs = {page.blocks[button].page for button in added}
    assert tabs == set(page.slugs) - {"start", "lessons"}
    for button, fn in added.items():
        labels = re.findall(r"__say:(\w+)\.([\w.-]+?)__", str(fn.js))
        assert all('"' not in texts(slug)[code][key] and "\\" not in texts(slug)[code][key]
                   for code in LANGUAGES for slug, key in labels)  # fmt: skip
        assert all(one.elem_id for one in fn.inputs) and len(labels) <= len(fn.inputs), page.blocks[button].page
