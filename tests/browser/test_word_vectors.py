"""The words-as-vectors tab in a browser: neighbours, the map, analogies, in both languages, at 390 px."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import open_page

ASKED = {
    "en": ("king", ("man", "king", "woman"), "kingg", "king"),
    "zh-CN": ("国王", ("法国", "巴黎", "日本"), "国王陛下万岁", "国王"),
}


# The names that are shown on the map, and how many pairs of them overlap.
NAMES = """() => {
  const all = [...document.querySelectorAll("#word_vectors-map .textpoint text")];
  const shown = all.filter((one) => getComputedStyle(one).visibility !== "hidden");
  const boxes = shown.map((one) => one.getBoundingClientRect());
  const meet = (a, b) => a.right > b.left && b.right > a.left && a.bottom > b.top && b.bottom > a.top;
  const over = boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => meet(a, b))).length;
  return { count: all.length, shown: shown.map((one) => one.textContent), over };
}"""


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A narrow page."""
    yield from open_page(browser, server, viewport={"width": 390, "height": 844})


def fill(page: object, key: str, text: str) -> None:
    """Write into one of the tab's fields."""
    page.locator(f"#word_vectors-{key} input, #word_vectors-{key} textarea").fill(text)


@pytest.mark.parametrize("language", ASKED)
def test_the_tab_on_a_phone(phone: object, language: str) -> None:
    word, three, wrong, offered = ASKED[language]
    phone.goto(f"{phone.base}/?tab=word_vectors&lang={language}&word={word}&run=1")
    bars = phone.locator("#word_vectors-answer .bars li")
    bars.nth(9).wait_for()
    phone.wait_for_selector("#word_vectors-map [data-drawn] .scatterlayer .point >> nth=90", state="attached")
    assert word in phone.inner_text("#word_vectors-map .plot-told")
    names = phone.evaluate(NAMES)
    assert word in names["shown"] and 10 < len(names["shown"]) < names["count"], names
    assert names["over"] == 0, "no name lies over another"
    for key, text in zip(("first", "second", "third"), three, strict=True):
        fill(phone, key, text)
    phone.click("#word_vectors-ask")
    phone.locator("#word_vectors-analogy .bars li").nth(4).wait_for()
    phone.click("#word_vectors-compare")
    phone.locator("#word_vectors-places tbody tr").nth(5).wait_for()
    assert set(phone.locator("#word_vectors-places tbody td:nth-child(2)").all_inner_texts()) == {"1.00"}
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    fill(phone, "word", wrong)
    phone.click("#word_vectors-run")
    toast = phone.locator("[data-testid=toast-text]").first
    toast.wait_for()
    assert offered in toast.inner_text()
