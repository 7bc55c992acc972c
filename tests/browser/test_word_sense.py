"""The word-sense tab in a browser: layers in every figure at once, the mix, neighbours, a lasso, a phone."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.browser.sense_ways import (
    CELLS,
    HOSTILE,
    NUMBERS,
    OTHER,
    POINTS,
    QUERY,
    VIEW,
    at,
    choose,
    click_first_against_last,
    compare,
    cosines,
    legend,
    open_tab,
    points,
    spread,
    to_layer,
    wait_for_answer,
)
from tests.conftest import open_page


def test_a_prepared_word_parts_on_the_way_up(page: object) -> None:
    open_tab(page)
    page.get_by_text("bass: music or fish").click()
    word = "document.querySelector('#word_sense-word input, #word_sense-word textarea')"
    page.wait_for_function(f"{word}.value === 'bass'")
    at(page, "2")
    at(page, "2", OTHER)
    assert legend(page) == ["music (5)", "fish (5)"]
    top = points(page)
    assert [one for one, _ in top] == list(range(10))
    compare(page)
    to_layer(page, "ArrowLeft", "1")
    assert points(page) != top and spread(page) > 0.1
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    to_layer(page, "ArrowLeft", "0")
    assert spread(page) < 0.01  # one spot
    assert "All points coincide" in page.inner_text(f"{POINTS} .plot-told")
    assert page.get_attribute(POINTS, "aria-label") == page.inner_text(f"{POINTS} .plot-told")
    here = page.locator(f"{NUMBERS} tr.here")
    assert here.get_attribute("data-frame") == "0" and here.locator("td").first.inner_text() == "1.000"
    assert cosines(page) == {100}, "the cosines went along"
    assert spread(page, OTHER) > 0.1  # the other panel goes its own way
    page.click(f"{VIEW} button[data-name=play]")
    at(page, "1")
    at(page, "2")
    assert points(page) == top
    assert requests == [], "layers come without asking the server"


def test_projections_space_and_groups(page: object) -> None:
    open_tab(page)
    page.click("#word_sense-run")
    at(page, "2")
    to_layer(page, "ArrowLeft", "1")
    choose(page, "method", "tsne")
    title = f"document.querySelector('{POINTS}')?._fullLayout.xaxis?.title.text"
    page.wait_for_function(f"{title}?.startsWith('t-SNE 1')")
    at(page, "1")  # where it was
    assert "perplexity" in page.inner_text(f"{POINTS} .plot-told")
    choose(page, "method", "pca")
    page.wait_for_function(f"{title}?.startsWith('PC 1')")
    choose(page, "colour", "cluster")
    group = "(one) => one.textContent.startsWith('group 2')"
    page.wait_for_function(f"[...document.querySelectorAll('{POINTS} .legendtext')].some({group})")
    grouped = points(page)
    assert [one for one, _ in grouped] == list(range(12))
    at(page, "1")
    to_layer(page, "ArrowRight", "2")
    assert [one for one, _ in points(page)] == list(range(12)) and points(page) != grouped


def test_the_sentence_at_the_pointer_and_what_lies_near(page: object) -> None:
    open_tab(page, f"{QUERY}&word=bank&lines={quote(HOSTILE)}")
    page.click("#word_sense-run")
    at(page, "2")
    page.locator(POINTS).scroll_into_view_if_needed()
    marks = page.locator(f"{POINTS} .scatterlayer .point")
    box = marks.nth(0).bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_selector(f"{POINTS} .hoverlayer .hovertext")
    shown = page.locator(f"{POINTS} .hoverlayer .hovertext").first
    assert "a<b>bank</b>😀bankoftheriver" in shown.text_content().replace(" ", "").replace("\xa0", "")
    assert shown.locator("tspan[style*='bold']").all_text_contents() == ["bank"]
    assert page.locator(f"{VIEW} img").count() == 0
    page.mouse.down()
    page.mouse.up()
    page.wait_for_selector("#word_sense-near article.near[data-layer='2']")
    assert "The bank closed." in page.inner_text("#word_sense-near article.near")
    assert page.locator("#word_sense-near article.near-expected .bars").count() == 2
    chosen = page.locator(f"{VIEW} .occurrences [aria-pressed=true]")
    assert chosen.inner_text() == "water a <b>bank</b> 😀 bank of the river"
    assert chosen.locator("b").all_inner_texts() == ["bank"]


def test_by_keyboard(page: object) -> None:
    open_tab(page, f"{QUERY}&word=bank&lines={quote(HOSTILE)}")
    page.click("#word_sense-run")
    at(page, "2")
    to_layer(page, "ArrowLeft", "1")
    page.locator(f"{VIEW} .occurrences [data-occurrence='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.occurrence") == "2"
    page.locator(f"{POINTS} .hoverlayer .hovertext", has_text="closed").first.wait_for()  # its point is pointed at
    page.keyboard.press("Enter")
    page.wait_for_selector("#word_sense-near article.near[data-layer='1']")
    assert "closed" in page.locator("#word_sense-near article.near p").first.inner_text()
    assert page.locator(f"{VIEW} .occurrences [tabindex='0']").count() == 1


def at_rest(page: object) -> list[dict[str, float]]:
    """Where the points are once they move no more."""
    before, now = [], [mark.bounding_box() for mark in page.locator(f"{POINTS} .scatterlayer .point").all()]
    while now != before:
        page.wait_for_timeout(300)
        before, now = now, [mark.bounding_box() for mark in page.locator(f"{POINTS} .scatterlayer .point").all()]
    return now


def test_what_is_selected_is_listed(page: object) -> None:
    open_tab(page, "model=bert-mini&other=")
    page.click("#word_sense-run")
    at(page, "2")
    buttons = page.locator(f"{POINTS} .modebar-btn")
    names = [button.get_attribute("data-title") for button in buttons.all()]
    assert {"Select in a box", "Select by drawing around"} <= set(names)
    page.locator(POINTS).scroll_into_view_if_needed()
    page.locator(POINTS).hover()
    buttons.nth(names.index("Select by drawing around")).click()
    wait_for_answer(page)
    marks = at_rest(page)
    ids = page.evaluate(f"document.querySelector('{POINTS}')._fullData.flatMap(({{ customdata }}) => [...customdata])")
    left, top = marks[0]["x"] + marks[0]["width"] / 2, marks[0]["y"] + marks[0]["height"] / 2
    page.mouse.move(left - 15, top - 15)
    page.mouse.down()
    for x, y in ((15, -15), (15, 15), (-15, 15), (-15, -15)):
        page.mouse.move(left + x, top + y, steps=4)
    page.mouse.up()
    inside = sorted(
        one
        for one, mark in zip(ids, marks, strict=True)
        if abs(mark["x"] + mark["width"] / 2 - left) < 15 and abs(mark["y"] + mark["height"] / 2 - top) < 15
    )
    listed = page.locator(f"{VIEW} .occurrences li:not([hidden]) button")
    page.wait_for_selector(f"{VIEW} .occurrences li[hidden]", state="attached")
    assert [int(one.get_attribute("data-occurrence")) for one in listed.all()] == inside and 0 < len(inside) < 12
    assert page.inner_text(f"{VIEW} .occurrences .selected").startswith(f"{len(inside)} of 12 uses:")
    page.click(f"{VIEW} .occurrences .all")
    assert listed.count() == 12
    # A cell of the cosines stands for two places.
    compare(page)
    click_first_against_last(page, CELLS)
    page.wait_for_selector(f"{VIEW} .occurrences li[hidden]", state="attached")
    cells = page.evaluate(f"document.querySelector('{CELLS}').layout.meta.cells")
    assert {int(one.get_attribute("data-occurrence")) for one in listed.all()} == {cells[0], cells[-1]}


def test_the_mix(page: object) -> None:
    open_tab(page)
    page.click("#word_sense-run")
    at(page, "2")
    compare(page)
    before = page.inner_text(f"{NUMBERS} tr[data-frame='2']")
    weight = page.locator("#word_sense-weight-1 input[type=range]")
    weight.fill("4")
    at(page, "mix")
    shown = f"{VIEW} .plot-frames output"
    assert page.inner_text(shown) == "mix: 2% · 96% · 2%"
    mixed = page.inner_text(f"{NUMBERS} tr[data-frame=mix]")
    weight.fill("-4")
    page.wait_for_function(f"document.querySelector('{shown}')?.textContent === 'mix: 50% · 1% · 50%'")
    assert page.inner_text(f"{NUMBERS} tr[data-frame=mix]") != mixed
    assert page.inner_text(f"{NUMBERS} tr[data-frame='2']").split() == before.split()
    assert page.get_attribute(f"{NUMBERS} tr.here", "data-frame") == "mix"
    page.click(f"{VIEW} .occurrences [data-occurrence='0']")
    page.wait_for_selector("#word_sense-near article.near[data-layer=mix]")
    at(page, "2", OTHER)
    to_layer(page, "ArrowLeft", "2")


def test_nothing_moves_for_those_who_do_not_want_it(browser: object, server: str) -> None:
    for page in open_page(browser, server, reduced_motion="reduce"):
        open_tab(page, "model=elmo-original&other=")
        page.click("#word_sense-run")
        at(page, "2")
        page.evaluate(
            "() => { window.waits = []; const own = Plotly.animate;"
            "Plotly.animate = (...all) => { waits.push(all[2].transition.duration); return own(...all); } }"
        )
        to_layer(page, "ArrowLeft", "1")
        assert set(page.evaluate("waits")) == {0}


def test_a_word_that_is_not_there(page: object) -> None:
    open_tab(page, QUERY + "&word=stone&lines=The bank closed.")
    page.click("#word_sense-run")
    page.wait_for_selector("[data-testid=toast-text] >> text=stone")


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def test_in_chinese_on_a_phone(page: object, phone: object) -> None:
    open_tab(page)
    page.click("#lang-zh-CN")
    page.wait_for_function("document.querySelector('#word_sense-run')?.innerText.includes('画出')")
    open_tab(phone)
    phone.tap("#word_sense-run")
    at(phone, "2")
    assert "光线 (4)" in legend(phone)
    compare(phone)
    assert "余弦" in phone.inner_text(f"{VIEW}-pairs") and "差值" in phone.inner_text(NUMBERS)
    to_layer(phone, "ArrowLeft", "1")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    column = phone.locator("#word_sense-view-points").bounding_box()["width"]
    assert phone.locator(f"{POINTS} .main-svg").first.bounding_box()["width"] == pytest.approx(column, abs=1)


def test_in_space(page: object) -> None:
    open_tab(page, "model=bert-mini&other=")
    page.click("#word_sense-run")
    at(page, "2")
    choose(page, "space", "3")
    page.wait_for_function(f"document.querySelector('{POINTS}')?._fullData[0].type === 'scatter3d'")
    at(page, "2")
    flat = [place[:2] for _, place in points(page)]
    to_layer(page, "ArrowLeft", "1")
    lower = points(page)
    assert [one for one, _ in lower] == list(range(12)) and {len(place) for _, place in lower} == {3}
    assert [place[:2] for _, place in lower] != flat
    eye = f"document.querySelector('{POINTS}')._fullLayout.scene.camera.eye"
    before = page.evaluate(eye)
    page.locator(f"{POINTS} button[data-name=turn]").first.press("Enter")
    page.wait_for_function(f"before => Math.abs({eye}.x - before.x) > 0.05", arg=before)
    turned = page.evaluate(eye)
    assert turned["x"] ** 2 + turned["y"] ** 2 == pytest.approx(before["x"] ** 2 + before["y"] ** 2)
    to_layer(page, "ArrowLeft", "0")
    assert page.evaluate(eye) == pytest.approx(turned, abs=1e-6), "a layer turns nothing"
    choose(page, "space", "2")
    page.wait_for_selector(f"{POINTS} .scatterlayer .point", state="attached")
    at(page, "0")


def test_an_error_leaves_nothing_over_the_controls(page: object) -> None:
    open_tab(page)
    page.click("#word_sense-run")
    page.wait_for_selector("#word_sense-method input", state="visible")
    page.fill("#word_sense-lines textarea", "")
    page.click("#word_sense-run")
    page.wait_for_selector("#word_sense-note[data-state=failed]", state="attached")
    page.wait_for_selector("[data-testid=status-tracker] .error", state="attached")
    assert page.locator("[data-testid=status-tracker] .error").locator("visible=true").count() == 0
    choose(page, "method", "tsne")
