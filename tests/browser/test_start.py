"""The start page in Chromium: an answer without a click, words to click, cards that lead on, all on one screen."""

from __future__ import annotations

import pytest

from app.ui.texts import LANGUAGES, texts
from tests.browser.ways import opened
from tests.conftest import open_page

BARS = "#start-answer .bars li"


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_is_answered_in_one_screen(browser: object, server: str, language: str) -> None:
    for page in open_page(browser, server, viewport={"width": 1440, "height": 900}):
        page.goto(f"{page.base}/?lang={language}")
        page.locator(BARS).first.wait_for()
        doors = page.locator("#start-doors .doors").locator("visible=true").bounding_box()
        assert doors["y"] + doors["height"] <= 900
        assert page.locator("#start-road li").locator("visible=true").count() == 7


def test_a_click_on_a_word_is_answered(page: object) -> None:
    page.goto(page.base)
    page.locator(BARS).first.wait_for()
    page.evaluate("document.querySelector('#start-answer .bars').id = 'old'")
    page.locator("#start-words button", has_text="country").click()
    page.locator("#start-words button.word", has_text="minister").wait_for()
    page.locator("#old").wait_for(state="detached")
    page.locator(BARS).first.wait_for()
    assert page.locator("#start-words button.blank").count() == 1
    assert "“country”" in page.inner_text("#start-answer .hidden-word")
    assert texts("start")["en"]["notice"] in page.inner_text("#start-answer .note")
    page.evaluate("document.querySelector('#start-answer .bars').id = 'old'")
    page.locator("#start-examples button").nth(1).click()
    page.locator("#start-words button", has_text="church").wait_for()
    page.locator("#old").wait_for(state="detached")
    page.locator(BARS).first.wait_for()


def test_cards_and_doors_lead_on(page: object) -> None:
    page.goto(page.base)
    page.wait_for_function("window.playground?.ready")
    page.locator("#start-road a", has_text="ALBERT").locator("visible=true").click()
    opened(page, "sentence_pair")
    page.go_back()
    opened(page, "start")


def test_it_fits_a_phone(browser: object, server: str) -> None:
    for page in open_page(browser, server, viewport={"width": 390, "height": 844}):
        page.goto(page.base)
        page.locator(BARS).first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        answer, others = (page.locator(f"#start-{name}").bounding_box() for name in ("answer", "examples"))
        assert answer["y"] < others["y"]
