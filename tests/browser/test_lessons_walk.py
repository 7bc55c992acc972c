"""Every step of every lesson in Chromium, in both languages, at the size of a projector and of a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.lessons.read import lessons
from app.ui.texts import LANGUAGES
from tests.conftest import open_page
from tests.running_app import run_app

PROJECTOR, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What Gradio's client says of what was still on its way when the page was left for the next step.
LEFT = ("AbortError", "Connection errored out")
READY = "() => window.playground?.ready && document.querySelector('#lesson .question')"
# An answer is there, be it hidden still: `innerText` says nothing of what is hidden.
ANSWERED = "() => document.querySelector('.to-reveal :is(article, canvas, .js-plotly-plot)')"


@pytest.fixture(scope="module")
def bundled() -> Iterator[str]:
    """The app over the bundled checkpoints: a lesson counts on their answers."""
    yield from run_app(None, PLAYGROUND_WARM="0")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", list(lessons("en")))
def test_a_lesson_is_walked_through(browser: object, bundled: str, slug: str, language: str) -> None:
    lesson = lessons(language)[slug]
    said: list[str] = []
    for page in open_page(browser, bundled, viewport=PROJECTOR):
        page.on("console", lambda one: said.append(one.text) if one.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(f"{page.base}/?lesson={slug}&step=1&class=1&lang={language}")
        for number, step in enumerate(lesson.steps, start=1):
            where = f"{slug}, {language}, step {number}"
            page.wait_for_url(f"**step={number}&**")
            page.locator("#lesson .question").wait_for()
            assert page.locator("#lesson .question").inner_text() == step.question, where
            assert not page.locator("#lesson .revealed").is_visible(), where
            page.wait_for_function(READY)
            if step.fields:  # else the class presses the button
                page.wait_for_function(ANSWERED)
            assert page.evaluate(WIDER) <= 0, where
            page.keyboard.press("r")
            assert page.locator("#lesson .revealed").is_visible(), where
            assert step.reveal in page.locator("#lesson .revealed").inner_text(), where
            page.set_viewport_size(PHONE)
            bar = page.locator("#lesson").bounding_box()
            assert page.evaluate(WIDER) <= 0 and bar["y"] >= 0 and bar["y"] + bar["height"] <= PHONE["height"], where
            page.set_viewport_size(PROJECTOR)
            if number < len(lesson.steps):
                page.keyboard.press("ArrowRight")
    assert [one for one in said if not any(left in one for left in LEFT)] == [], (slug, language)
