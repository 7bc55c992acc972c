"""From tab to tab: nothing is hidden, names are links, a phone has a drawer, titles and history follow."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import demos
from app.ui.shell import discover
from app.ui.texts import LANGUAGES, say
from tests.browser.ways import go_to, opened
from tests.conftest import open_page

SLUGS = [tab.slug for tab in discover(demos)]
LINKS = "#contents a[data-tab]"


def open_at(page: object, query: str) -> None:
    """Open the page and wait until its tab is there."""
    page.goto(f"{page.base}/?{query}")
    page.wait_for_function("window.playground?.ready")


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A narrow page."""
    yield from open_page(browser, server, viewport={"width": 390, "height": 844}, color_scheme="dark")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_names_are_in_sight_at_1280(page: object, language: str) -> None:
    open_at(page, f"lang={language}")
    links = page.locator(LINKS).locator("visible=true")
    assert links.all_inner_texts() == [say(language, slug, "title") for slug in SLUGS]
    for index in range(links.count()):
        box = links.nth(index).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 1280 and box["y"] + box["height"] <= 900
    assert page.locator("nav").locator("visible=true").count() == 2, "the list and the foot, and none of Gradio's own"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_the_names_stay_in_sight(page: object) -> None:
    open_at(page, "tab=sentence_pair")
    page.evaluate("scrollTo(0, 700)")
    page.wait_for_function("scrollY > 500 && document.getElementById('contents').getBoundingClientRect().y >= 0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_opens_its_tab_with_its_title(page: object, language: str) -> None:
    open_at(page, f"lang={language}")
    for slug in SLUGS:
        go_to(page, slug)
        assert page.title() == f"{say(language, slug, 'title')} · PLM Playground"
        assert page.locator(f"{LINKS}[aria-current]").locator("visible=true").count() == 1
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.go_back()
    opened(page, SLUGS[-2])
    page.wait_for_function("title => document.title.startsWith(title)", arg=say(language, SLUGS[-2], "title"))


def test_a_name_is_a_link_that_opens_elsewhere(page: object) -> None:
    open_at(page, "tab=surprise&lang=zh-CN")
    link = page.locator("#contents a[data-tab=fill_mask]").locator("visible=true")
    with page.context.expect_page() as other:
        link.click(modifiers=["ControlOrMeta"])
    other.value.wait_for_function("window.playground?.ready")
    opened(other.value, "fill_mask")
    opened(page, "surprise")
    assert "lang=zh-CN" in other.value.url


def test_a_phone_has_a_drawer_with_all_names(phone: object) -> None:
    open_at(phone, "tab=surprise")
    button = phone.locator("#contents button").locator("visible=true")
    assert button.inner_text().endswith("Surprise")
    links = phone.locator(LINKS).locator("visible=true")
    assert links.count() == 0
    button.focus()
    phone.keyboard.press("Enter")
    links.first.wait_for()
    assert links.count() == len(SLUGS)
    chapters = phone.locator("#contents p").locator("visible=true")
    assert chapters.count() == len({tab.group for tab in discover(demos) if tab.group})
    phone.keyboard.press("Escape")
    links.first.wait_for(state="hidden")
    go_to(phone, "prompting")
    links.first.wait_for(state="hidden")
    assert button.inner_text().endswith("Prompting")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_keyboard_goes_by_the_names_and_past_them(page: object) -> None:
    open_at(page, "tab=surprise")
    page.keyboard.press("Tab")
    skip = page.locator("a.skip:focus")
    assert skip.inner_text() == "Skip to the content" and skip.bounding_box()["y"] >= 0
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.id === 'tabs'")
    link = page.locator("#contents a[data-tab=prompting]").locator("visible=true")
    link.focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    assert link.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    opened(page, "prompting")


def test_what_was_typed_survives_the_way(page: object) -> None:
    open_at(page, "tab=surprise")
    page.wait_for_function("document.querySelector('#surprise-first textarea')?.value")
    page.locator("#surprise-first textarea").fill("My own text.")
    page.click("#surprise-run")
    answered = "Object.values(playground.asked).some((asked) => asked.includes('My own text.'))"
    page.wait_for_function(answered)
    after = SLUGS[SLUGS.index("surprise") + 1]
    page.locator("#tabs .ways-on a[rel=next]").locator("visible=true").click()
    opened(page, after)
    assert page.evaluate("scrollY") == 0
    page.locator("#tabs .ways-on a[rel=prev]").locator("visible=true").click()
    opened(page, "surprise")
    page.wait_for_function("document.querySelector('#surprise-first textarea')?.value === 'My own text.'")
    page.wait_for_function(answered)
    page.go_back()
    opened(page, after)


def test_what_another_page_of_the_browser_typed_stays_there(page: object) -> None:
    open_at(page, "tab=surprise")
    page.wait_for_function("document.querySelector('#surprise-first textarea')?.value")
    page.locator("#surprise-first textarea").fill("My own text.")
    page.wait_for_function("sessionStorage.getItem('typed surprise')")
    other = page.context.new_page()
    other.goto(f"{page.base}/?tab=surprise")
    other.wait_for_function("document.querySelector('#surprise-first textarea')?.value && playground.ready")
    assert other.input_value("#surprise-first textarea") != "My own text."


def test_one_page_is_light(page: object) -> None:
    """Less than half of what all tabs on one page weighed, and no component of another tab."""
    for slug in SLUGS:
        answered = page.request.get(f"{page.base}/?tab={slug}")
        assert answered.headers["content-encoding"] == "gzip"
        html = answered.text()
        assert len(html) < 250_000, (slug, len(html))
        others = {other for other in SLUGS if other not in (slug, "attention") and f'"{other}-run"' in html}
        assert not others and "__say:" not in html


def test_the_page_has_an_icon_of_its_own(page: object) -> None:
    answered = page.request.get(f"{page.base}/favicon.ico")
    assert answered.ok and "svg" in answered.headers["content-type"] and "#0f766e" in answered.text()
    head = page.request.get(f"{page.base}/?tab=surprise").text()
    assert re.search(r"<title>Surprise · PLM Playground</title>", head)


def test_an_unknown_tab_opens_the_start(page: object) -> None:
    open_at(page, "tab=nothing")
    opened(page, "start")


@pytest.mark.parametrize("way", ["footer .show-api", "#start-doors a.api:visible"])
def test_every_page_leads_to_the_description_of_all_endpoints(page: object, way: str) -> None:
    # The description asks for statistics and for MCP, which are off here, and prints that there are none.
    page.route("**/monitoring/summary", lambda route: route.fulfill(json={"functions": {}}))
    page.route("**/mcp/schema", lambda route: route.fulfill(json=[]))
    open_at(page, f"tab={'start' if 'start' in way else 'surprise'}&lang=zh-CN")
    assert page.evaluate("gradio_config.components.filter(({ type }) => type === 'api').length") == 0
    page.locator(way).click()
    page.wait_for_url("**view=api**")
    page.locator(".api-docs").wait_for()
    page.wait_for_function("document.querySelector('.api-docs').textContent.includes('/fill_mask')")
    assert "tab=" not in page.url and "lang=zh-CN" in page.url
