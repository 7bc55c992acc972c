"""Plots in a browser: in both languages, light and dark, as wide as a phone; texts stay text; saved files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.browser.ways import unfold
from tests.checkpoints import CLASSIFIER
from tests.conftest import open_page

LINES = "The dog barked.\n<img src=x onerror=alert(1)>\n<a href='https://example.org'>here</a> &lt;b&gt;\nI love soup."
PLOT = "#classification-plot .js-plotly-plot[data-drawn]"


def draw(page: object) -> object:
    """The map of four sentences."""
    page.goto(f"{page.base}/?tab=classification&text={quote(LINES)}&model={CLASSIFIER}")
    page.wait_for_function("document.querySelector('#classification-lines textarea')?.value.startsWith('The dog')")
    page.click("#classification-run")
    page.wait_for_selector("#classification-answers tbody tr >> nth=3")
    unfold(page, "classification-map", "#classification-map")
    page.click("#classification-map")
    page.wait_for_selector(f"{PLOT} .scatterlayer .point >> nth=3", state="attached")
    return page


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def ink(page: object) -> str:
    """The one colour of all words around the plot."""
    words = f"[...document.querySelectorAll('{PLOT} .infolayer text')].map((one) => getComputedStyle(one).fill)"
    (colour,) = set(page.evaluate(words))
    return colour


def test_texts_at_the_pointer_stay_texts(page: object) -> None:
    draw(page).locator(PLOT).scroll_into_view_if_needed()
    shown = set()
    for point in page.locator(f"{PLOT} .scatterlayer .point").all():
        box = point.bounding_box()
        page.mouse.move(0, 0)
        page.wait_for_selector(f"{PLOT} .hoverlayer .hovertext", state="detached")
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_selector(f"{PLOT} .hoverlayer .hovertext")
        assert page.locator(f"{PLOT} .hoverlayer a, {PLOT} img").count() == 0
        shown.add(page.locator(f"{PLOT} .hoverlayer .hovertext").first.text_content().replace(" ", ""))
    for line in LINES.split("\n"):
        assert any(line.replace(" ", "") in text for text in shown), shown
    assert page.get_attribute(PLOT, "aria-label") == page.inner_text(f"{PLOT} .plot-told")
    assert page.locator(f"{PLOT} .downloads button").last.is_visible(), "nothing of it is cut off"


def test_what_is_saved(page: object, tmp_path: Path) -> None:
    draw(page)
    files = {}
    for kind in ("png", "svg", "csv", "json", "plot"):
        with page.expect_download() as taken:
            page.click(f"{PLOT} .downloads button[data-kind={kind}]")
        taken.value.save_as(tmp_path / kind)
        files[kind] = (tmp_path / kind).read_bytes()
    assert files["png"].startswith(b"\x89PNG") and b"PC 1" in files["svg"]
    table = json.loads(files["json"])
    rows = list(csv.reader(io.StringIO(files["csv"].decode("utf-8-sig"))))
    assert table["columns"] == rows[0] == ["x", "y", "label", "text"] and len(rows) == 5
    assert [row[3] for row in table["rows"]] == LINES.split("\n") == [row[3] for row in rows[1:]]
    drawn = json.loads(files["plot"])
    assert sum(len(trace["x"]) for trace in drawn["data"]) == 4 and drawn["layout"]["xaxis"]["title"]["text"]


def test_in_chinese_in_the_dark_on_a_phone(phone: object) -> None:
    draw(phone)
    assert "颜色是预测的标签" in phone.inner_text(f"{PLOT} .plot-told")
    assert "放大" in phone.evaluate(
        f"[...document.querySelectorAll('{PLOT} .modebar-btn')].map((one) => one.dataset.title)"
    )
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    column = phone.locator("#classification-plot").bounding_box()["width"]
    assert phone.locator(f"{PLOT} .main-svg").first.bounding_box()["width"] == pytest.approx(column, abs=1)
    dark = ink(phone)
    phone.evaluate("document.body.classList.remove('dark')")
    assert ink(phone) != dark, "the words follow the page"
