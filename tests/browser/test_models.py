"""The models tab in a browser: no plot before it is requested; weights, switches, shapes; on a dark phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import open_page


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def open_tab(page: object) -> None:
    """The tab, filled."""
    page.goto(f"{page.base}/?tab=models")
    page.wait_for_selector("#models-families article >> nth=6")
    page.wait_for_function("document.querySelector('#models-text :is(input, textarea)')?.value")


def test_weights_switches_and_shapes(page: object) -> None:
    open_tab(page)
    assert page.locator(".js-plotly-plot").count() == 0 and page.evaluate("window.Plotly === undefined")
    page.click("#models-count")
    page.wait_for_selector("#models-weights [data-drawn]")
    assert page.locator("#models-parts table.parts tbody tr").count() > 5
    page.check("#models-shared input")
    page.wait_for_selector("#models-compared [data-drawn]")
    page.check("#models-factorised input")
    page.wait_for_function("document.querySelector('#models-compared .plot-told')?.textContent.includes('11,683,584')")
    assert "109,482,240" in page.inner_text("#models-table")
    page.click("#models-run")
    page.wait_for_selector("#models-steps [data-step=logits]")


def test_on_a_phone(phone: object) -> None:
    open_tab(phone)
    phone.tap("#models-count")
    phone.wait_for_selector("#models-weights [data-drawn]")
    assert "个参数" in phone.inner_text("#models-weights .plot-told")
    phone.click("#models-scores > button")
    phone.wait_for_selector("#models-measured table >> nth=3")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
