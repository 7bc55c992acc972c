"""From the other tabs to attention: opened below an answer, or sent to the attention tab with one click."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.ways import opened
from tests.conftest import open_page


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A narrow page in the dark, in Chinese."""
    yield from open_page(browser, server, viewport={"width": 390, "height": 800}, color_scheme="dark")


def open_tab(page: object, query: str) -> None:
    """A tab as a link opens it."""
    page.goto(f"{page.base}/?{query}")
    page.wait_for_function("document.querySelector('textarea')?.value")


def test_attention_opens_in_place(page: object) -> None:
    open_tab(page, "tab=fill_mask&text=The dog [MASK] loudly.&model=bert-base-uncased")
    page.click("#fill_mask-inside > button")
    view = "#fill_mask-inside-view .attention-view"
    page.wait_for_selector(f"{view}[data-drawn]")
    page.locator(f"{view} canvas").hover(position={"x": 40, "y": 60})
    page.wait_for_function(f"/→/.test(document.querySelector('{view} .attention-readout').textContent)")
    assert page.locator(f"{view} button[data-name=steps]").count() == 0
    page.locator("#fill_mask-text textarea").fill("one two three")
    drawn = page.get_attribute(view, "data-drawn")
    page.click("#fill_mask-inside-here")
    page.wait_for_function(f"document.querySelector('{view}').dataset.drawn !== '{drawn}'")


def test_one_click_sends_text_and_models(page: object) -> None:
    query = "tab=fill_mask&text=The dog [MASK] loudly.&model=bert-base-uncased,roberta-base"
    open_tab(page, query)
    page.click("#fill_mask-inside > button")
    page.click("#fill_mask-inside-there")
    page.wait_for_selector("#attention-view .attention-view[data-drawn]")
    page.wait_for_selector("#attention-other-view .attention-view[data-drawn]")
    opened(page, "attention")
    assert "tab=attention" in page.url
    assert page.input_value("#attention-text textarea") == "The dog [MASK] loudly."
    assert page.input_value("#attention-model input").startswith("bert-base-uncased")
    assert page.input_value("#attention-other input").startswith("roberta-base")


@pytest.mark.parametrize("slug", ["tokenization", "attribution"])
def test_a_sentence_goes_along_into_other_tabs(page: object, slug: str) -> None:
    open_tab(page, "tab=fill_mask&text=The dog ran home.&model=bert-base-uncased")
    page.click(f"#fill_mask-to-{slug}")
    opened(page, slug)
    page.wait_for_function(f"document.querySelector('#{slug}-text textarea')?.value === 'The dog ran home.'")
    asked = f"Object.entries(playground.asked).some(([at, text]) => at.startsWith('{slug}') && text.includes('dog'))"
    page.wait_for_function(asked)
    assert f"tab={slug}" in page.url
    page.go_back()
    opened(page, "fill_mask")
    assert page.input_value("#fill_mask-text textarea") == "The dog ran home."


def test_one_click_sends_a_pair(page: object) -> None:
    open_tab(page, "tab=sentence_pair&first=The dog barked.&second=The cat ran.&model=albert-base-v2")
    page.click("#sentence_pair-inside > button")
    page.wait_for_selector("#sentence_pair-inside-view .attention-view[data-drawn]")
    page.click("#sentence_pair-inside-there")
    page.wait_for_selector("#attention-view .attention-view[data-drawn]")
    assert page.input_value("#attention-second textarea") == "The cat ran."
    assert page.input_value("#attention-model input").startswith("albert-base-v2")
    assert page.input_value("#attention-other input") == "none"


def test_on_a_phone(phone: object) -> None:
    open_tab(phone, "tab=tokenization&text=hello dog&model=gpt2&lang=zh-CN")
    phone.click("#tokenization-inside > button")
    phone.wait_for_selector("#tokenization-inside-view .attention-view[data-drawn]")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
