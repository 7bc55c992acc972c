"""A lesson made on the page: steps kept from tabs, edited, ordered, saved, checked, opened on a new server, taught."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.lessons.check import faults
from app.ui.texts import LANGUAGES, texts
from tests.conftest import open_page
from tests.running_app import run_app

LABELS = texts("lessons")
MARKUP = "<img src=x onerror=alert(1)>"
STEP = "#own-lesson [data-step='{}'] "


@pytest.fixture
def bundled() -> Iterator[str]:
    """The app over the bundled checkpoints, which a lesson counts on."""
    yield from run_app(None, PLAYGROUND_WARM="0")


@pytest.fixture
def fresh() -> Iterator[str]:
    """Another one, which knows nothing of the first."""
    yield from run_app(None, PLAYGROUND_WARM="0")


def ready(page: object, address: str) -> None:
    """Open a page and wait until its fields are filled."""
    page.goto(f"{page.base}/?{address}")
    page.wait_for_function("window.playground?.ready")


def keep(page: object, slug: str, address: str, number: int) -> None:
    """Keep what a tab shows as a step."""
    ready(page, f"tab={slug}&lang=en&{address}")
    page.locator(f"#{slug}-keep-step").click()
    said = LABELS["en"]["own_kept"].format(number=number, tab=LABELS["en"]["title"])
    page.locator(f"#{slug}-keep-step .told", has_text=said).wait_for()


def write(page: object, selector: str, text: str) -> None:
    """Write into a field and wait until the server has it."""
    page.evaluate("document.querySelector('#own-lesson .own-said').textContent = ''")
    page.fill(selector, text)
    page.locator(selector).blur()
    page.locator("#own-lesson .own-said", has_text=LABELS["en"]["own_done"]).wait_for()


def make(page: object) -> None:
    """Three steps from three tabs; the last one becomes the first, the models tab goes again."""
    keep(page, "fill_mask", "text=The+cat+sat+on+the+[MASK].&model=bert-mini", 1)
    keep(page, "models", "", 2)
    keep(page, "sentence_pair", "first=I+see.&second=I+see+it.&model=bert-mini", 3)
    ready(page, "tab=lessons&lang=en")
    write(page, "#own-lesson [name=title]", f"Mine {MARKUP}")
    write(page, STEP.format(2) + "[name=question]", "Do they follow?")
    write(page, STEP.format(2) + "[name=choices]", "Yes\nNo")
    write(page, STEP.format(0) + "[name=question]", f"Which word? {MARKUP}")
    write(page, STEP.format(0) + "[name=reveal]", "Read it from the bars.")
    page.locator(STEP.format(1) + "[data-do=remove]").click()
    page.locator(STEP.format(2)).wait_for(state="detached")
    page.locator(STEP.format(1) + "[data-do=up]").press("Enter")
    page.wait_for_function("document.querySelector('#own-lesson [name=question]').value === 'Do they follow?'")
    assert page.evaluate("document.activeElement.closest('[data-step]').dataset.step") == "0"


def test_a_lesson_is_made_saved_checked_opened_elsewhere_and_taught(
    browser: object, bundled: str, fresh: str, tmp_path: Path
) -> None:
    path = tmp_path / "lesson.json"
    for page in open_page(browser, bundled):
        make(page)
        page.locator("#own-lesson-check").click()
        page.locator("#own-lesson-checked", has_text="models were asked about 2 of 2").wait_for(timeout=300_000)
        with page.expect_download() as download:
            page.locator("#own-lesson .save").click()
        download.value.save_as(path)
    assert [*faults(path, own=True)] == []
    told = json.loads(path.read_text(encoding="utf-8"))["en"]
    assert [step["tab"] for step in told["steps"]] == ["sentence_pair", "fill_mask"]
    assert told["steps"][0]["promise"]["label"] and told["steps"][1]["promise"]["first"]
    for page in open_page(browser, fresh, viewport={"width": 390, "height": 844}):
        ready(page, "tab=lessons&lang=en")
        page.set_input_files("#own-lesson [data-do=open]", path)
        page.locator("#own-lesson .begin").first.click()
        page.locator("#lesson .question", has_text="Do they follow?").wait_for()
        assert page.locator("#lesson .choices li").all_inner_texts() == ["Yes", "No"]
        page.locator("#lesson a[rel=next]").click()
        page.locator("#lesson .question", has_text=f"Which word? {MARKUP}").wait_for()
        page.wait_for_function(
            "document.querySelector('#fill_mask-text textarea')?.value === 'The cat sat on the [MASK].'"
        )
        page.locator("#fill_mask-answers .bars").first.wait_for(state="attached")
        page.locator("#lesson button.reveal").click()
        page.locator("#fill_mask-answers .bars").first.wait_for()
        assert page.locator("#lesson .revealed", has_text="Read it from the bars.").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_lesson_is_not_opened_and_why_is_said(
    browser: object, fresh: str, tmp_path: Path, language: str
) -> None:
    wrong = texts("lesson_faults")[language]
    path = tmp_path / "wrong.json"
    for page in open_page(browser, fresh):
        ready(page, f"tab=lessons&lang={language}")
        for content, said in (
            ("{", wrong["no_json"].format(where="")),
            ('{"en": {"title": "x", "about": "", "steps": [3]}}', wrong["object"].format(key="steps")),
            ('"' + "x" * 300_000 + '"', LABELS[language]["own_large"].format(most=200)),
        ):
            path.write_text(content, encoding="utf-8")
            page.set_input_files("#own-lesson [data-do=open]", path)
            page.locator("#own-lesson .own-said", has_text=said).wait_for()
        assert page.locator("#own-lesson .form").count() == 0
        assert not page.locator("#own-lesson-check").is_visible(), "there is nothing to check"
