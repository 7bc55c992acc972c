"""The word-sense tab in a browser: a prepared word, layers, points that move, mix, neighbours, Chinese, a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import open_page

VIEW, OTHER = "#word_sense-view .sense-view", "#word_sense-other-view .sense-view"
QUERY = "model=elmo-original&other=bert-mini"


def open_tab(page: object, query: str = QUERY) -> object:
    """The tab, filled."""
    page.goto(f"{page.base}/?tab=word_sense&{query}")
    page.wait_for_function("document.querySelector('#word_sense-lines textarea')?.value")
    return page


def at(page: object, view: str = VIEW, **data: str) -> None:
    """Wait until the view shows this."""
    page.wait_for_selector(view + "".join(f"[data-{name}='{value}']" for name, value in data.items()))


def data(page: object, name: str, view: str = VIEW) -> str:
    """One entry of the view's data."""
    return page.get_attribute(view, f"data-{name}")


def to_layer(page: object, key: str, layer: str) -> None:
    """Press a key on the layer slider, and wait until the points have come to rest."""
    page.locator(f"{VIEW} input[data-name=layer]").press(key)
    at(page, layer=layer)


def test_a_prepared_word_parts_on_the_way_up(page: object) -> None:
    open_tab(page)
    page.get_by_text("bass: music or fish").click()
    word = "document.querySelector('#word_sense-word input, #word_sense-word textarea')"
    page.wait_for_function(f"{word}.value === 'bass'")
    at(page, layer="2")
    at(page, OTHER, layer="2")
    assert "music (5)" in page.inner_text(f"{VIEW} .legend") and "fish (5)" in page.inner_text(f"{VIEW} .legend")
    top = data(page, "first")
    to_layer(page, "ArrowLeft", "1")
    middle = data(page, "first")
    assert middle != top and float(data(page, "spread")) > 5
    to_layer(page, "ArrowLeft", "0")
    assert float(data(page, "spread")) < 0.5  # one spot
    assert "one spot" in page.inner_text(VIEW)
    assert page.inner_text(f"{VIEW} tr.here td").startswith("1.000")
    assert float(data(page, "spread", OTHER)) > 5  # the other panel goes its own way
    page.click(f"{VIEW} button[data-name=play]")
    at(page, layer="2")
    assert data(page, "first") == top


def test_projections_space_and_groups(page: object) -> None:
    open_tab(page)
    page.click("#word_sense-run")
    at(page, layer="2")
    page.click(f"{VIEW} button[data-name=tsne]")
    at(page, method="tsne")
    page.click(f"{VIEW} button[data-name=space-3]")
    at(page, method="tsne", dimensions="3")
    page.click(f"{VIEW} button[data-name=pca]")
    at(page, method="pca", dimensions="3")
    page.click(f"{VIEW} button[data-name=colour-cluster]")
    page.wait_for_function(f"document.querySelector('{VIEW} .legend').innerText.includes('group 2')")


def test_sentences_neighbours_and_the_mix(page: object) -> None:
    open_tab(page, QUERY + "&word=bank&lines=water | a <b>bank</b> 😀 bank of the river%0Amoney | The bank closed.")
    page.click("#word_sense-run")
    at(page, layer="2")
    canvas = page.locator(f"{VIEW} canvas[data-name=points]")
    canvas.focus()
    canvas.press("ArrowRight")
    canvas.press("ArrowRight")
    assert page.inner_text(f"{VIEW} .attention-readout").strip() == "water · a <b>bank</b> 😀 bank of the river"
    assert page.locator(f"{VIEW} .attention-readout b").all_inner_texts() == ["bank"]
    canvas.press("Enter")
    page.wait_for_selector("#word_sense-near article.near[data-layer='2']")
    assert "The bank closed." in page.inner_text("#word_sense-near article.near")
    assert page.locator("#word_sense-near article.near-expected .bars").count() == 2
    before = page.inner_text(f"{VIEW} tr[data-row='2']")
    page.locator(f"{VIEW} input[data-name=weight-1]").fill("4")
    at(page, layer="mix")
    mixed = page.inner_text(f"{VIEW} tr[data-row=mix]")
    page.locator(f"{VIEW} input[data-name=weight-1]").fill("-4")
    page.wait_for_function(f"shown => document.querySelector('{VIEW} tr[data-row=mix]').innerText !== shown", arg=mixed)
    assert page.inner_text(f"{VIEW} tr[data-row='2']").split() == before.split()
    heat = page.locator(f"{VIEW} canvas[data-name=cosines]")
    heat.focus()
    heat.press("ArrowRight")
    assert "cosine" in page.inner_text(f"{VIEW} .attention-readout")


def test_a_word_that_is_not_there(page: object) -> None:
    open_tab(page, QUERY + "&word=stone&lines=The bank closed.")
    page.click("#word_sense-run")
    page.wait_for_selector("text=(word_not_found)")


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def test_in_chinese_on_a_phone(page: object, phone: object) -> None:
    open_tab(page)
    page.click("#lang-zh-CN")
    page.wait_for_function("document.querySelector('#word_sense-run')?.innerText.includes('看看')")
    open_tab(phone)
    phone.tap("#word_sense-run")
    at(phone, layer="2")
    assert "余弦" in phone.inner_text(VIEW) and "金钱 (6)" in phone.inner_text(f"{VIEW} .legend")
    phone.locator(f"{VIEW} input[data-name=layer]").press("ArrowLeft")
    at(phone, layer="1")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
