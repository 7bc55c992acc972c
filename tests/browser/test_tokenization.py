"""The tokens tab in a browser: pieces over their characters, masks drawn again, also at 390 px."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.conftest import open_page

TAB = "?tab=tokenization&model=bert-base-uncased,gpt2"


def open_tab(page: object, text: str) -> None:
    """The tab with a text cut by two tokenizers and into ELMo's bytes."""
    page.goto(f"{page.base}/{TAB}")
    page.wait_for_function("document.querySelector('#tokenization-text textarea')?.value")
    page.locator("#tokenization-text textarea").fill(text)
    page.click("#tokenization-run")
    page.wait_for_selector("#tokenization-answers .block")


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A narrow page in the dark."""
    yield from open_page(browser, server, viewport={"width": 390, "height": 800}, color_scheme="dark")


def test_pieces_stand_under_their_characters(page: object) -> None:
    open_tab(page, "😀 cat <b>bold</b>")
    first = page.locator("#tokenization-answers .block").first
    assert first.locator(".letter").inner_text() == "😀"
    gpt2 = first.locator(".piece.row-1")
    assert gpt2.inner_text().startswith("😀×")
    box, letter = gpt2.bounding_box(), first.locator(".letter").bounding_box()
    assert box["x"] <= letter["x"] + letter["width"] / 2 <= box["x"] + box["width"]
    assert page.locator("#tokenization-answers b").filter(has_text="bold").count() == 0
    assert "\ufffd" not in page.inner_text("#tokenization-answers")
    page.locator("#tokenization-answers summary", has_text="Table").first.click()
    assert page.locator("#tokenization-answers article td code").first.is_visible()


def test_masks_are_drawn_again_and_again(page: object) -> None:
    open_tab(page, "hello")
    page.click("#tokenization-masking > button")
    page.click("#tokenization-draw")
    page.wait_for_selector("#tokenization-drawn .drawn b")
    first = page.inner_html("#tokenization-drawn")
    page.click("#tokenization-draw")
    page.wait_for_function("before => document.querySelector('#tokenization-drawn').innerHTML !== before", arg=first)
    for place in ("draws", "draws-1"):
        page.wait_for_selector(f"#tokenization-{place} [data-drawn] .scatterlayer .point >> nth=9", state="attached")
        words = page.locator(f"#tokenization-{place} .xtick").all_text_contents()
        assert words and not any(word.isdecimal() for word in words), "the tokens are the labels"


def test_positions_are_drawn_and_saved(page: object) -> None:
    open_tab(page, "hello")
    page.click("#tokenization-positions > button")
    page.click("#tokenization-compare")
    page.wait_for_selector("#tokenization-positions-plot [data-drawn]")
    drawn = "#tokenization-positions-plot-1 [data-drawn]"
    page.wait_for_selector(drawn)
    assert "1 apart: 0.9" in page.inner_text(f"{drawn} .plot-told")
    with page.expect_download() as saved:
        page.click(f"{drawn} .downloads [data-kind=csv]")
    rows = list(csv.reader(Path(saved.value.path()).read_text("utf-8-sig").splitlines()))
    assert len(rows) == len(rows[0]) and [row[at + 1] for at, row in enumerate(rows[1:])] == ["100"] * (len(rows) - 1)


def test_nothing_is_wider_than_a_phone(phone: object) -> None:
    open_tab(phone, "Unbelievable antidisestablishmentarianism! " * 3)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_table_shows_where_it_goes_on(phone: object) -> None:
    open_tab(phone, "hello")
    table = phone.locator("#tokenization-answers .alignment .scroll").first
    phone.wait_for_selector("#tokenization-answers .alignment .scroll[data-more=end]")
    assert table.get_attribute("role") == "region" and table.get_attribute("aria-label").startswith("Tokenizer, ")
    assert "gradient" in table.evaluate("(table) => getComputedStyle(table).maskImage")
    table.focus()
    assert table.evaluate("(table) => document.activeElement === table")
    table.evaluate("(table) => table.scrollTo(table.scrollWidth, 0)")
    phone.wait_for_selector("#tokenization-answers .alignment .scroll[data-more=start]")


def test_a_text_from_right_to_left_is_laid_out_so(page) -> None:
    text = "החתול ישן (בית) 42"
    page.goto(f"{page.base}/?tab=tokenization&model=bert-mini&text={quote(text)}&run=1")
    page.locator("#tokenization-answers .block").first.wait_for()
    letters = page.locator("#tokenization-answers .block .letter")
    places = letters.evaluate_all("all => all.map((one) => [one.textContent, one.getBoundingClientRect().x])")
    word = [x for letter, x in places if "\u05d0" <= letter <= "\u05ea"][:5]
    assert word == sorted(word, reverse=True), "a word's letters"
    digits = [x for letter, x in places if letter.isdecimal()]
    assert digits == sorted(digits), "a number's digits"
    assert digits[0] < min(word), "the words"
    page.goto(f"{page.base}/?tab=tokenization&model=bert-mini&text=The+{quote('חתול')}+sat&run=1")
    page.locator("#tokenization-answers .block").first.wait_for()
    places = letters.evaluate_all("all => all.map((one) => [one.textContent, one.getBoundingClientRect().x])")
    hebrew = [x for letter, x in places if "\u05d0" <= letter <= "\u05ea"]
    latin = [x for letter, x in places if letter.isascii() and letter.isalpha()]
    assert hebrew == sorted(hebrew, reverse=True) and latin == sorted(latin)
    assert max(latin[:3]) < min(hebrew) < max(hebrew) < min(latin[3:])
