"""Classification and its reasons in a browser: one sentence, many, the map, a click that hides a word, a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.ui.texts import texts
from tests.browser.ways import unfold
from tests.checkpoints import CLASSIFIER
from tests.conftest import open_page


def open_tab(page: object, tab: str, field: str, text: str = "The+dog+barked.") -> None:
    """A tab with a text from its link."""
    page.goto(f"{page.base}/?tab={tab}&text={text}&model={CLASSIFIER}")
    page.wait_for_function(f"document.querySelector('{field} textarea')?.value.startsWith('The dog')")


def test_one_many_and_the_map(page: object) -> None:
    open_tab(page, "classification", "#classification-lines")
    page.click("#classification-run")
    bars = page.locator("#classification-answers .bars li")
    bars.first.wait_for()
    assert {bar.get_attribute("data-label") for bar in bars.all()} == {"negative", "positive"}
    page.fill("#classification-lines textarea", "The dog.\nThe <b>cat</b>.\nsoup\nI love you.")
    page.click("#classification-run")
    page.wait_for_selector("#classification-answers tbody tr >> nth=3")
    assert page.locator("#classification-answers td b").count() == 4, "the labels, and nothing that a visitor wrote"
    with page.expect_download() as taken:
        page.click("#classification-download")
    assert taken.value.suggested_filename == "labels.csv"
    unfold(page, "classification-map", "#classification-map")
    page.click("#classification-map")
    page.wait_for_selector("#classification-plot .scatterlayer .point >> nth=3", state="attached")


def test_a_word_is_hidden_and_comes_back(page: object) -> None:
    open_tab(page, "attribution", "#attribution-text")
    page.click("#attribution-run")
    words = page.locator("#attribution-words section[data-method=gradients] button.word")
    words.first.wait_for()
    assert words.all_inner_texts() == ["The", "dog", "barked", "."]
    before = page.locator("#attribution-words .bars .value").first.inner_text()
    words.nth(1).click()
    page.wait_for_selector("#attribution-words button.blank")
    assert page.input_value("#attribution-text textarea") == "The [MASK] barked."
    page.locator("#attribution-words button.blank").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#attribution-text textarea').value === 'The dog barked.'")
    page.wait_for_function("!document.querySelector('#attribution-words button.blank')")
    assert page.locator("#attribution-words .bars .value").first.inner_text() == before


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def test_on_a_phone(phone: object) -> None:
    open_tab(phone, "classification", "#classification-lines")
    phone.tap("#classification-run")
    phone.wait_for_selector("#classification-answers article")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    open_tab(phone, "attribution", "#attribution-text")
    phone.tap("#attribution-run")
    phone.wait_for_selector("#attribution-words article")
    assert "积分梯度" in phone.inner_text("#attribution-words")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("tab", ["classification", "fine_tune"])
def test_a_file_has_its_place_below_its_label_and_one_that_is_no_text_is_told_what_to_do(
    phone: object, tab: str
) -> None:
    phone.goto(f"{phone.base}/?tab={tab}")
    phone.wait_for_function("window.playground?.ready")
    panel = phone.locator(".own-file").locator("visible=true").first
    label, sign = (panel.locator(part).bounding_box() for part in ("label", ".icon-wrap"))
    assert label["y"] + label["height"] <= sign["y"]
    content = b"PK\x03\x04\x14\x00\x06\x00\x08\x00" + bytes(range(256)) * 8
    excel = {"name": "rows.xlsx", "mimeType": "application/octet-stream", "buffer": content}
    panel.locator("input[type=file]").set_input_files(excel)
    said = texts("errors")["zh-CN"]["bad_value.table"]
    phone.locator("[data-testid=toast-text]", has_text=said).first.wait_for()
