"""A lesson in Chromium: answers hidden until they are revealed, keys, steps, both languages, a phone, large type."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from app.lessons.read import lessons
from app.ui.texts import LANGUAGES, texts
from tests.conftest import open_page
from tests.running_app import run_app

BARS = "#fill_mask-answers .bars"
TEXT = "#fill_mask-text textarea"


@pytest.fixture(scope="module")
def bundled() -> Iterator[str]:
    """The app over the bundled checkpoints: a lesson counts on their answers."""
    yield from run_app(None, PLAYGROUND_WARM="0")


def open_step(page: object, query: str) -> None:
    """Open a step and wait for its bar and for the answer, which is hidden."""
    page.goto(f"{page.base}/?{query}")
    answered(page)


def answered(page: object) -> None:
    """Wait until the step's answer has come."""
    page.locator("#lesson .question").wait_for()
    page.locator(BARS).first.wait_for(state="attached")


def visible(page: object, selector: str) -> bool:
    """Can a visitor see it, wherever it is scrolled?"""
    return page.locator(selector).first.is_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_answer_is_hidden_until_it_is_revealed(browser: object, bundled: str, language: str) -> None:
    step = lessons(language)["the_blank"].steps[0]
    for page in open_page(browser, bundled):
        open_step(page, f"lesson=the_blank&step=1&lang={language}")
        assert page.input_value(TEXT) == step.fields["text"], "a link that names the step alone is completed"
        assert page.locator("#lesson .question").inner_text() == step.question
        assert not visible(page, BARS) and not visible(page, "#lesson .revealed")
        page.locator("#lesson button.reveal").click()
        page.locator(BARS).first.wait_for()
        assert visible(page, "#lesson .revealed")
        assert step.reveal in page.locator("#lesson .revealed").inner_text()
        assert step.promise["first"] in page.locator(f"{BARS} .word").first.inner_text()
        assert page.locator("#lesson a[rel=next]").evaluate("element => element === document.activeElement")


def test_keys_step_and_reveal_but_not_while_someone_writes(browser: object, bundled: str) -> None:
    steps = lessons("en")["the_blank"].steps
    for page in open_page(browser, bundled):
        open_step(page, "lesson=the_blank&step=1&class=1&lang=en")
        page.locator(TEXT).focus()
        page.keyboard.press("r")
        page.keyboard.press("ArrowRight")
        assert "step=1" in page.url and not visible(page, BARS)
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("r")
        page.locator(BARS).first.wait_for()
        page.keyboard.press("ArrowRight")
        page.wait_for_url("**step=2**")
        answered(page)
        assert page.input_value(TEXT) == steps[1].fields["text"]
        assert "class=1" in page.url and not visible(page, BARS), "the next answer is hidden again"
        page.keyboard.press("f")
        page.wait_for_function("document.fullscreenElement")
        page.keyboard.press("f")
        page.wait_for_function("!document.fullscreenElement")
        page.keyboard.press("ArrowLeft")
        page.wait_for_url("**step=1**")
        answered(page)


def test_large_type_leaves_out_what_a_class_has_no_use_for(browser: object, bundled: str) -> None:
    for page in open_page(browser, bundled):
        open_step(page, "lesson=the_blank&step=2&class=1&lang=en")
        size = "element => parseFloat(getComputedStyle(element).fontSize)"
        assert page.locator(TEXT).evaluate(size) >= 20
        assert not visible(page, "footer") and not visible(page, "#fill_mask-text .info-text")
        assert page.locator("#tabs").bounding_box()["width"] > 900
        page.goto(f"{page.base}/?tab=fill_mask&lang=en")
        page.locator("#fill_mask-text .info-text").wait_for()
        assert page.locator(TEXT).evaluate(size) < 18


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_a_phone(browser: object, bundled: str, language: str) -> None:
    for page in open_page(browser, bundled, viewport={"width": 390, "height": 844}, color_scheme="dark"):
        open_step(page, f"lesson=the_blank&step=3&notes=1&lang={language}")
        bar = page.locator("#lesson").bounding_box()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert bar["y"] >= 844 / 2 and bar["y"] + bar["height"] <= 844
        assert lessons(language)["the_blank"].steps[2].teacher.next in page.locator("#lesson .notes").inner_text()


def test_another_language_has_a_text_of_its_own(browser: object, bundled: str) -> None:
    for page in open_page(browser, bundled):
        open_step(page, "lesson=the_blank&step=1&lang=en")
        page.locator("#lang-zh-CN").click()
        page.wait_for_url("**tab=fill_mask**lang=zh-CN**")
        answered(page)
        assert page.input_value(TEXT) == lessons("zh-CN")["the_blank"].steps[0].fields["text"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_begins_from_the_door_of_the_start_page(browser: object, bundled: str, language: str) -> None:
    for page in open_page(browser, bundled):
        page.goto(f"{page.base}/?lang={language}")
        page.wait_for_function("window.playground?.ready")
        page.locator("#start-doors a[data-tab=lessons]").locator("visible=true").click()
        page.locator("#lesson-the_blank .begin").nth(1).click()
        answered(page)
        counted = texts("lessons")[language]["step_of"].format(number=1, count=2)
        assert page.locator("#lesson .where").inner_text().endswith(counted)


def test_what_is_not_there_hides_nothing(browser: object, bundled: str) -> None:
    for page in open_page(browser, bundled):
        page.goto(f"{page.base}/?tab=fill_mask&lesson=nothing&lang=en&run=1")
        page.locator(BARS).first.wait_for()
        assert page.locator("#lesson").inner_text() == texts("lessons")["en"]["missing"]


def test_a_step_begins_at_its_layer(browser: object, bundled: str) -> None:
    for page in open_page(browser, bundled):
        page.goto(f"{page.base}/?lesson=elmo_play&step=1&lang=en")
        page.locator("#lesson .reveal").click()
        page.wait_for_function("document.querySelector('#word_sense-view [data-layer]')?.dataset.layer === '0'")


def test_the_window_with_the_notes_goes_along(browser: object, bundled: str) -> None:
    second = lessons("en")["the_blank"].steps[1]
    for page in open_page(browser, bundled):
        open_step(page, "lesson=the_blank&step=1&lang=en")
        with page.context.expect_page() as opened:
            page.locator("#lesson a.second").click()
        notes = opened.value
        notes.locator("#lesson .notes").wait_for()
        page.locator("#lesson a[rel=next]").click()
        notes.wait_for_url("**step=2**")
        notes.locator("#lesson .notes", has_text=second.teacher.next).wait_for()
        assert "notes=1" in notes.url and "notes" not in page.url


def test_a_class_answers_from_a_phone(browser: object, bundled: str) -> None:
    for page in open_page(browser, bundled):
        open_step(page, "lesson=the_blank&step=1&class=1&lang=en")
        page.locator("#lesson .ask").click()
        address = page.locator("#class-room .address").inner_text()
        assert address.endswith(page.locator("#class-room .code").inner_text())
        assert page.locator("#class-room .qr svg").is_visible()
        for phone in open_page(browser, bundled):
            phone.goto(address)
            phone.fill("#answer", "<img src=x onerror=alert(1)> century")
            phone.locator("#form button").click()
            phone.wait_for_function("document.querySelector('#said').textContent")
            page.locator("#class-room .count", has_text="1").wait_for()
            assert not visible(page, "#class-room .words")
            page.locator("#lesson button.reveal").click()
            page.locator("#class-room .words .word", has_text="onerror=alert(1)> century").wait_for()
            phone.locator("#form").wait_for(state="hidden")
            page.locator("#lesson a[rel=next]").click()
            page.wait_for_url("**step=2**")
            phone.locator("#question", has_text=lessons("en")["the_blank"].steps[1].question).wait_for()
            assert not visible(page, "#class-room .words") and phone.locator("#form").is_visible()
            page.locator("#lesson .where a").click()
            phone.locator("#question", has_text=texts("lessons")["en"]["phone_none"]).wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", list(lessons("en")))
def test_a_worksheet_prints_on_two_pages(browser: object, bundled: str, slug: str, language: str) -> None:
    lesson = lessons(language)[slug]
    for page in open_page(browser, bundled):
        for answers in ("0", "1"):
            page.goto(f"{bundled}/worksheet?lesson={slug}&lang={language}&answers={answers}")
            told = page.inner_text("main")
            assert all(step.question in told for step in lesson.steps)
            assert all((step.reveal in told) is (answers == "1") for step in lesson.steps)
            pages = re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))
            assert len(pages) == (1 if answers == "1" else 2)


def test_a_phone_has_buttons_where_there_are_choices(browser: object, bundled: str) -> None:
    step = lessons("en")["the_blank"].steps[3]
    for page in open_page(browser, bundled):
        open_step(page, "lesson=the_blank&step=4&class=1&lang=en")
        assert page.locator("#lesson .choices li").all_inner_texts() == list(step.choices)
        marks = "list => getComputedStyle(list).listStyleType"
        assert page.locator("#lesson .choices").evaluate(marks) == "none"
        page.locator("#lesson .ask").click()
        address = page.locator("#class-room .address").inner_text()
        for phone in open_page(browser, bundled, viewport={"width": 390, "height": 844}):
            phone.goto(address)
            phone.get_by_role("button", name=step.right).click()
            phone.locator("#choices [aria-pressed=true]").wait_for()
            assert not visible(phone, "#form")
        page.locator("#class-room .count", has_text="1").wait_for()
        page.locator("#lesson button.reveal").click()
        page.locator("#class-room .right .word", has_text=step.right).wait_for()
        assert page.locator("#lesson .choices .right").inner_text() == step.right
        assert page.locator("#lesson .choices").evaluate(marks) == "none" and visible(page, "#lesson .revealed")
