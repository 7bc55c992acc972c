"""A page that opens has its answer, and nothing on it jumps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT

import demos
from app.ui.shell import discover
from tests.benchmarks.bench_opening import EMPTY, measure
from tests.browser.ways import opened
from tests.conftest import open_page
from tests.running_app import SECONDS_TO_PREPARE, run_app, wait_until_ready

# The goal is half of that (`tests.benchmarks.bench_opening` prints it).
MOST_SHIFT = 0.1
WATCH = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const one of list.getEntries()) {
    if (!one.hadRecentInput) shifts.push([one.value, ...one.sources.map(({ node }) => node?.outerHTML?.slice(0, 120))]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
SLUGS = [tab.slug for tab in discover(demos)]
# Tabs that begin with no question.
UNASKED = ("lessons", "fine_tune")
ANSWERED = "playground.brought === 'answered'"


@pytest.fixture(scope="module")
def warm_server(tiny_models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that answers its examples in advance."""
    cache = str(tmp_path_factory.mktemp("cache"))
    yield from run_app(tiny_models, PLAYGROUND_WARM="1", PLAYGROUND_CACHE=cache)


def test_a_page_opened_too_early_is_answered_when_the_answer_is_there(browser: object, warm_server: str) -> None:
    for page in open_page(browser, warm_server):
        page.goto(f"{page.base}/?tab={SLUGS[-1]}")  # the server comes to this one last
        page.locator("#models-parts .in-advance").wait_for(timeout=SECONDS_TO_PREPARE * 1_000)


@pytest.mark.parametrize("width", [1440, 390])
def test_no_tab_jumps_and_each_is_answered(browser: object, warm_server: str, width: int) -> None:
    wait_until_ready(warm_server)
    for page in open_page(browser, warm_server, viewport={"width": width, "height": 900}):
        page.add_init_script(WATCH)
        jumped, unanswered = {}, []
        for slug in SLUGS:
            page.goto(f"{page.base}/?tab={slug}")
            opened(page, slug)
            page.wait_for_function(
                "[...document.querySelectorAll('.plots [id]')].every((one) => !one.matches('.block')"
                " || one.querySelector('.js-plotly-plot .downloads'))"
            )
            if slug not in UNASKED and not page.evaluate(ANSWERED):
                unanswered.append(slug)
            shifts = page.evaluate("shifts")
            if sum(value for value, *_ in shifts) > MOST_SHIFT:
                jumped[slug] = [shift for shift in shifts if shift[0] > MOST_SHIFT / 10]
        assert (jumped, unanswered) == ({}, [])


MOST_TIMES_EMPTY = 1.5


def test_the_first_page_costs_little_more_than_an_empty_one(browser: object, warm_server: str, tmp_path: Path) -> None:
    """In requests and bytes; how long it keeps the browser busy is measured, not tested."""
    (tmp_path / "empty.py").write_text(EMPTY, encoding="utf-8")
    wait_until_ready(warm_server)
    for empty in run_app(None, arguments=(str(tmp_path / "empty.py"),)):
        of_nothing, *ours = (measure(browser, url)[:2] for url in (empty, warm_server, f"{warm_server}/?tab=lessons"))
        for measured in ours:
            assert all(mine <= MOST_TIMES_EMPTY * its for mine, its in zip(measured, of_nothing, strict=True)), ours


# Gradio's own: the sign of an empty plot is a named `div`.
NOT_OURS = [".empty.unpadded_box"]


@pytest.mark.parametrize(("language", "width", "scheme"), [("en-US", 1280, "light"), ("zh-CN", 390, "dark")])
def test_no_tab_shuts_anybody_out(browser: object, warm_server: str, language: str, width: int, scheme: str) -> None:
    """As axe-core sees it: contrast, names of fields and pictures, what is reached by keyboard."""
    wait_until_ready(warm_server)
    options = {"viewport": {"width": width, "height": 900}, "locale": language, "color_scheme": scheme}
    for page in open_page(browser, warm_server, **options):
        found = {}
        for slug in SLUGS:
            page.goto(f"{page.base}/?tab={slug}")
            opened(page, slug)
            page.evaluate(AXE_SCRIPT)
            seen = page.evaluate(
                "(not_ours) => axe.run({ exclude: not_ours }, { resultTypes: ['violations'] })", NOT_OURS
            )
            grave = [one for one in seen["violations"] if one["impact"] in ("serious", "critical")]
            if grave:
                found[slug] = [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in grave]
        assert found == {}
