"""Runs of fine-tuning in a browser: advice for few and uneven rows, two runs compared, one renamed and deleted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.ui.texts import texts
from tests.browser.ways import opened
from tests.conftest import open_page

ROWS = "\n".join([*(f"the dog {index} | A" for index in range(15)), *(f"soup {index} | <i>B" for index in range(6))])
ODD = "mood <b>1</b>"


@pytest.fixture(params=[("en", 1440), ("zh-CN", 390)], ids=["en", "zh-CN, phone"])
def visitor(request: pytest.FixtureRequest, browser: object, server: str) -> Iterator[object]:
    """A visitor in one of the languages, with few and uneven rows in the box."""
    language, width = request.param
    for page in open_page(browser, server, locale=language, viewport={"width": width, "height": 900}):
        page.language, page.width = language, width
        page.goto(f"{page.base}/?tab=fine_tune")
        opened(page, "fine_tune")
        page.wait_for_function("document.querySelector('#fine_tune-lines textarea').value.includes('|')")
        page.fill("#fine_tune-lines textarea", ROWS)
        page.fill("#fine_tune-epochs input[type=number]", "1")
        yield page


def train(page: object, runs: int) -> str:
    """One more run, so many in all; its name."""
    page.click("#fine_tune-start")
    page.wait_for_selector(f"#fine_tune-runs tbody tr >> nth={runs - 1}")
    return page.locator("#fine_tune-outcome article").get_attribute("data-model")


def choice(page: object) -> str:
    """The name in the picker of models."""
    return page.input_value("#fine_tune-own input")


def test_proposals_are_followed_by_a_click(visitor: object) -> None:
    said = texts("fine_tune")[visitor.language]
    visitor.click("#fine_tune-fold")
    visitor.wait_for_selector("#fine_tune-fold", state="hidden")
    visitor.click("#fine_tune-weigh")
    visitor.wait_for_selector("#fine_tune-weigh", state="hidden")
    assert visitor.input_value("#fine_tune-folds input") == said["folds.5"]
    assert visitor.is_checked("#fine_tune-weighed input")
    train(visitor, 1)
    assert visitor.locator("#fine_tune-outcome table.folds tbody tr").count() == 7
    table = visitor.inner_text("#fine_tune-runs")
    assert said["weighed"] in table and said["folds"].format(folds=5) in table
    assert visitor.locator("#fine_tune-outcome i").count() == 0
    assert visitor.evaluate("document.documentElement.scrollWidth") <= visitor.width


def test_two_runs_are_compared_and_one_is_renamed_and_deleted(visitor: object) -> None:
    said = texts("fine_tune")[visitor.language]
    first = train(visitor, 1)
    visitor.fill("#fine_tune-epochs input[type=number]", "3")
    second = train(visitor, 2)
    visitor.click("#fine_tune-compare")
    visitor.wait_for_selector("#fine_tune-comparison tr.differ[data-key=epochs]")
    shown = visitor.inner_text("#fine_tune-comparison")
    assert first in shown and second in shown and said["compare.rows_title"] in shown
    assert visitor.locator("#fine_tune-comparison i").count() == 0
    assert visitor.evaluate("document.documentElement.scrollWidth") <= visitor.width

    visitor.click("#fine_tune-naming button")
    visitor.fill("#fine_tune-new-name :is(input, textarea)", ODD)
    visitor.click("#fine_tune-rename")
    visitor.wait_for_selector("[data-testid=toast-text]")
    assert "40" in visitor.inner_text("[data-testid=toast-text]") and choice(visitor) == second
    visitor.fill("#fine_tune-new-name :is(input, textarea)", "mood 1")
    visitor.click("#fine_tune-rename")
    visitor.wait_for_function("document.querySelector('#fine_tune-runs').innerText.includes('mood 1')")
    visitor.wait_for_function("document.querySelector('#fine_tune-own input').value === 'mood 1'")

    visitor.click("#fine_tune-own-file")
    opened(visitor, "classification")
    visitor.wait_for_function("document.querySelector('#classification-models').innerText.includes('mood 1')")
    visitor.goto(f"{visitor.base}/?tab=fine_tune")
    opened(visitor, "fine_tune")
    visitor.wait_for_function("document.querySelector('#fine_tune-own input').value === 'mood 1'")
    assert first in visitor.inner_text("#fine_tune-runs")
    visitor.click("#fine_tune-naming button")
    visitor.click("#fine_tune-delete:enabled")
    visitor.click("#fine_tune-delete-sure")
    visitor.wait_for_function("!document.querySelector('#fine_tune-runs').innerText.includes('mood 1')")
    visitor.wait_for_function("name => document.querySelector('#fine_tune-own input').value === name", arg=first)
    visitor.wait_for_selector("#fine_tune-compare", state="hidden")
