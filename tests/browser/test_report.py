"""The report of a visitor's answers: collected over tabs, saved as one file, opened without a server."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from app.registry.lookup import BY_NAME
from app.ui.texts import LANGUAGES, texts
from tests.conftest import open_page

MARKUP = "<img src=x onerror=alert(1)>"


def ready(page: object, address: str) -> None:
    """Open a tab with an answer in it."""
    page.goto(f"{page.base}/?{address}&run=1")
    page.wait_for_function("window.playground?.ready")


def answered(page: object, selector: str) -> None:
    """Wait until an answer is there, and none on its way."""
    page.locator(selector).first.wait_for()
    page.wait_for_function("![...document.querySelectorAll('#tabs .progress-text')].some((one) => one.offsetHeight)")


def saved(page: object, slug: str, path: Path) -> str:
    """Save the report, and what the file says."""
    with page.expect_download() as download:
        page.locator(f"#{slug}-report-save").click()
    download.value.save_as(path)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_report_has_text_settings_models_and_pictures_and_opens_unplugged(
    browser: object, server: str, tmp_path: Path, language: str
) -> None:
    labels, path = texts("report")[language], tmp_path / "report.html"
    for page in open_page(browser, server):
        ready(page, f"tab=fill_mask&text=A+[MASK]+{MARKUP}&model=bert-mini,roberta-mini&lang={language}")
        answered(page, "#fill_mask-answers .bars")
        page.locator("#fill_mask-report-add").click()
        page.locator("#fill_mask-report-add .told", has_text=labels["added"].format(count=1)).wait_for()
        ready(page, f"tab=word_sense&model=elmo-mini&lang={language}")
        answered(page, "#word_sense-view .js-plotly-plot, #word_sense-view canvas")
        page.locator("#word_sense-report-add").click()
        page.locator("#word_sense-report-add .told", has_text=labels["added"].format(count=2)).wait_for()
        told = saved(page, "word_sense", path)
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", told) and "<script" not in told
    for opened in open_page(browser, "file:///"):
        opened.goto(path.as_uri())
        seen = opened.inner_text("main")
        assert f"A [MASK] {MARKUP}" in seen and opened.locator("h2").count() == 2
        for name in ("bert-mini", "roberta-mini", "elmo-mini"):
            assert name in seen and BY_NAME[name].revision in seen
        assert texts("fill_mask")[language]["text"] in seen
        assert texts("word_sense")[language]["pairs_title"] not in seen, "what is folded is no answer"
        drawn = opened.evaluate("[...document.images].map((one) => one.complete && one.naturalWidth > 50)")
        assert len(drawn) >= 2 and all(drawn)
        assert opened.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_answer_to_something_else_is_not_taken(browser: object, server: str, tmp_path: Path) -> None:
    labels = texts("report")["en"]
    for page in open_page(browser, server):
        ready(page, "tab=fill_mask&text=A+[MASK].&model=bert-mini&lang=en")
        answered(page, "#fill_mask-answers .bars")
        page.fill("#fill_mask-text textarea", "Another [MASK].")
        page.locator("#fill_mask-answers[data-state=stale]").wait_for()
        page.locator("#fill_mask-report-save").click()
        page.locator("#fill_mask-report-save .told", has_text=labels["stale"]).wait_for()
        page.locator("#fill_mask-run").click()
        answered(page, "#fill_mask-answers:not([data-state=stale]) .bars")
        told = saved(page, "fill_mask", tmp_path / "one.html")
        assert "Another [MASK]." in told and told.count("<section") == 1, "what stands there is taken at once"
        page.locator("#fill_mask-report-forget").click()
        page.locator("#fill_mask-report-forget .told", has_text=labels["emptied"]).wait_for()
        assert page.evaluate("sessionStorage.getItem('report')") is None
