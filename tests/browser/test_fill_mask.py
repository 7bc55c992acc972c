"""The masked-words page in Chromium: type, run, hide a word, guess, another language, a narrow screen."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.conftest import open_page


def write(page, text: str) -> None:
    """Put a sentence into the page and wait until its words can be clicked."""
    box = page.locator("#fill_mask-text textarea")
    box.fill(text)
    page.locator("#fill_mask-words .words").filter(has_text=text.split()[-1].strip(".")).wait_for()


def run(page) -> None:
    """Press the button and wait for the bars."""
    page.click("#fill_mask-run")
    page.locator("#fill_mask-answers .bars li").first.wait_for()


def open_tab(page, query: str = "?tab=fill_mask") -> None:
    """Open the tab and wait until its script has filled it."""
    page.goto(f"{page.base}/{query}")
    page.locator("#fill_mask-words button").first.wait_for()


def test_type_run_and_see_the_bars(page) -> None:
    open_tab(page)
    write(page, "I [MASK] you because you are wonderful.")
    run(page)
    assert page.locator("#fill_mask-answers .bars li").count() == 5
    assert "bert-mini" in page.locator("#fill_mask-answers h3").first.inner_text()
    page.locator("#fill_mask-answers .model summary").first.click()
    assert "only its host can say" in page.locator("#fill_mask-answers .model details p").first.inner_text()


def test_click_a_word_to_hide_it_and_again_to_bring_it_back(page) -> None:
    open_tab(page)
    write(page, "😀 The dog ran away.")
    page.locator("#fill_mask-words button", has_text="dog").click()
    box = page.locator("#fill_mask-text textarea")
    page.wait_for_function("document.querySelector('#fill_mask-text textarea').value === '😀 The [MASK] ran away.'")
    page.locator("#fill_mask-words button.blank").click()
    page.wait_for_function("document.querySelector('#fill_mask-text textarea').value === '😀 The dog ran away.'")
    assert box.input_value() == "😀 The dog ran away."


def test_words_are_reached_by_keyboard(page) -> None:
    open_tab(page)
    write(page, "The dog ran away.")
    page.locator("#fill_mask-words button", has_text="dog").focus()
    page.keyboard.press("Enter")
    page.locator("#fill_mask-words button.blank").wait_for()


def test_guess_first_hides_the_answer_until_it_is_revealed(page) -> None:
    open_tab(page)
    write(page, "The dog ran away.")
    page.locator("#fill_mask-words button", has_text="dog").click()
    page.locator("#fill_mask-words button.blank").wait_for()
    page.locator("button.label-wrap", has_text="More").click()
    page.locator("#fill_mask-guess-first input").check()
    page.locator("#fill_mask-guess input, #fill_mask-guess textarea").fill("cat")
    page.click("#fill_mask-run")
    page.locator("#fill_mask-note", has_text="Reveal").wait_for()
    assert page.locator("#fill_mask-answers .bars li").count() == 0
    page.click("#fill_mask-reveal")
    page.locator("#fill_mask-note", has_text="“cat”").wait_for()
    assert "“dog”" in page.locator("#fill_mask-note").inner_text()
    assert page.locator("#fill_mask-answers .bars li").count() == 5


def test_surprise_colours_the_words(page) -> None:
    open_tab(page)
    write(page, "The dog ran away.")
    page.click("#fill_mask-surprise")
    page.locator("#fill_mask-answers .surprisal span").first.wait_for()
    assert page.locator("#fill_mask-answers .surprisal:not(.scale)").inner_text() == "The dog ran away."


def test_what_is_typed_never_runs(page) -> None:
    open_tab(page)
    write(page, "<img src=x onerror=alert(1)><script>alert(2)</script> [MASK] end.")
    page.on("dialog", lambda dialog: pytest.fail("a script of the visitor ran"))
    run(page)
    page.click("#fill_mask-surprise")
    page.locator("#fill_mask-answers .surprisal span").first.wait_for()
    assert page.locator("#fill_mask-answers img, #fill_mask-words img, #fill_mask-answers script").count() == 0


def test_an_error_is_a_sentence(page) -> None:
    open_tab(page)
    write(page, "No blank here.")
    page.click("#fill_mask-run")
    page.get_by_text("Please hide at least one word").wait_for()


def test_a_link_restores_the_page_in_chinese(page) -> None:
    open_tab(page, f"?tab=fill_mask&lang=zh-CN&model=roberta-base&text={quote('Hello [MASK] world.')}")
    page.wait_for_function("document.querySelector('#fill_mask-text textarea').value === 'Hello [MASK] world.'")
    assert page.locator("#fill_mask-run").inner_text() == "填空"
    run(page)
    assert "roberta-base" in page.locator("#fill_mask-answers h3").first.inner_text()
    assert "第 1 个空" in page.locator("#fill_mask-answers h4").first.inner_text()


def test_the_switch_changes_the_language_and_keeps_the_address(page) -> None:
    open_tab(page, "?tab=fill_mask")
    page.click("#lang-zh-CN")
    page.wait_for_url("**lang=zh-CN**")
    page.locator("#fill_mask-run", has_text="填空").wait_for()
    assert "tab=fill_mask" in page.url


def test_copy_link_puts_the_page_into_the_address(page) -> None:
    open_tab(page)
    write(page, "A [MASK] link.")
    page.click("#fill_mask-link")
    page.wait_for_url("**text=A**")
    assert "model=bert-mini" in page.url and "tab=fill_mask" in page.url


def test_the_top_of_the_page_fits_a_narrow_screen(browser, server: str) -> None:
    for page in open_page(browser, server, viewport={"width": 390, "height": 844}):
        open_tab(page)
        run(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        box = page.locator("#fill_mask-run").bounding_box()
        assert box is not None and box["y"] < 844 and box["width"] > 100


def test_an_example_is_put_into_the_page(page) -> None:
    open_tab(page)
    page.get_by_text("She was the mother of two [MASK].").click()
    page.wait_for_function("document.querySelector('#fill_mask-text textarea').value.startsWith('She was')")
