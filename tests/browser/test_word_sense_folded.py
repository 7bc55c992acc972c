"""What of the word-sense tab is folded, in a browser: matrices and numbers, and the second model's sentences."""

from __future__ import annotations

from tests.browser.sense_ways import (
    CELLS,
    NUMBERS,
    OTHER,
    OTHER_CELLS,
    PART,
    POINTS,
    VIEW,
    at,
    click_first_against_last,
    compare,
    cosines,
    open_tab,
    to_layer,
    wait_for_answer,
)
from tests.browser.ways import unfold


def test_what_is_unfolded_later_is_where_the_slider_is(page: object) -> None:
    open_tab(page)
    page.click("#word_sense-run")
    at(page, "2")
    at(page, "2", OTHER)
    to_layer(page, "ArrowLeft", "1")
    to_layer(page, "ArrowLeft", "0")
    assert page.locator(".js-plotly-plot").count() == 4, "points and layers of both models"
    assert page.locator(f"{CELLS}, {NUMBERS}").count() == 0
    compare(page)
    page.wait_for_selector(f"{CELLS}[data-layer='0']")
    page.wait_for_selector(f"{OTHER_CELLS}[data-layer='2']")
    assert cosines(page) == {100} != cosines(page, OTHER_CELLS), "ELMo's characters look at no sentence"
    marked = [page.get_attribute(f"{view}-pairs tr.here", "data-frame") for view in (VIEW, OTHER)]
    assert marked == ["0", "2"]
    # Folded again, and another layer meanwhile.
    page.click(f"{PART} > button")
    to_layer(page, "ArrowRight", "1")
    compare(page)
    page.wait_for_selector(f"{CELLS}[data-layer='1']")
    assert page.get_attribute(f"{NUMBERS} tr.here", "data-frame") == "1"
    assert cosines(page) != {100}


def test_a_mix_that_is_unfolded_later(page: object) -> None:
    open_tab(page, "model=elmo-original&other=")
    page.click("#word_sense-run")
    at(page, "2")
    page.locator("#word_sense-weight-1 input[type=range]").fill("4")
    at(page, "mix")
    compare(page)
    page.wait_for_selector(f"{CELLS}[data-layer=mix]")
    assert page.get_attribute(f"{NUMBERS} tr.here", "data-frame") == "mix"


def test_an_unfolded_part_goes_along_with_the_question(page: object) -> None:
    open_tab(page, "model=bert-mini&other=")
    page.click("#word_sense-run")
    at(page, "2")
    compare(page)
    wait_for_answer(page)
    assert page.locator(OTHER_CELLS).count() == 0
    page.get_by_text("bass: music or fish").click()
    page.wait_for_function(f"document.querySelector('{CELLS}')?._fullData[0].x.length === 10")
    page.wait_for_selector(f"{CELLS}[data-layer='2']")
    page.wait_for_selector(f"{NUMBERS} tr.here[data-frame='2']")
    open_tab(page, "model=word-vectors-mini&other=&run=1")
    page.wait_for_selector(f"{POINTS}[data-layer='0']")
    wait_for_answer(page)
    assert page.locator(PART).locator("visible=true").count() == 0, "one vector: nothing to compare"


def test_a_curve_takes_the_room_that_a_second_model_leaves(page: object) -> None:
    open_tab(page)
    page.click("#word_sense-run")
    at(page, "2")
    at(page, "2", OTHER)
    page.wait_for_selector(f"{OTHER}-layers .js-plotly-plot .downloads")
    width = "document.querySelector('#word_sense-view-layers .main-svg').getBoundingClientRect().width"
    half = page.evaluate(width)
    page.click("#word_sense-other input")
    page.get_by_role("option", name="none").click()
    page.click("#word_sense-run")
    page.wait_for_function(f"{width} > 1.5 * {half}")


def test_an_old_answer_is_not_unfolded_as_if_it_were_new(page: object) -> None:
    open_tab(page, "model=bert-mini&other=")
    page.click("#word_sense-run")
    at(page, "2")
    page.fill("#word_sense-word textarea, #word_sense-word input", "stone")
    page.wait_for_selector(f"{PART}[data-state=stale]")
    page.click("#word_sense-run")
    page.wait_for_selector(f"{PART}[data-state=failed]", state="hidden")


def test_the_second_list_unfolds_for_what_is_chosen(page: object) -> None:
    open_tab(page)
    page.click("#word_sense-run")
    at(page, "2")
    at(page, "2", OTHER)
    wait_for_answer(page)
    sentences = page.locator(f"{OTHER} .occurrences [data-occurrence]")
    assert sentences.count() == 12 == page.locator(f"{VIEW} .occurrences [data-occurrence]").count()
    assert not sentences.first.is_visible() and page.locator(f"{VIEW} .occurrences summary").count() == 0
    mark = page.locator(f"{OTHER} .scatterlayer .point").first
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    chosen = page.locator(f"{OTHER} .occurrences [aria-pressed=true]").locator("visible=true")
    chosen.wait_for()
    page.wait_for_selector("#word_sense-near article.near[data-layer='2']")
    page.locator(f"{OTHER} .occurrences summary").click()
    assert not sentences.first.is_visible()
    # A cell of the second model's cosines lists its two sentences there.
    unfold(page, "word_sense-pairs", f"{OTHER_CELLS}[data-layer]")
    click_first_against_last(page, OTHER_CELLS)
    listed = page.locator(f"{OTHER} .occurrences li:not([hidden]) button").locator("visible=true")
    listed.first.wait_for()
    assert listed.count() == 2
