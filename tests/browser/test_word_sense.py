"""The word-sense tab in a browser: layers in every figure at once, the mix, neighbours, a lasso, a phone."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest

from tests.browser.ways import unfold
from tests.conftest import open_page

VIEW, OTHER = "#word_sense-view", "#word_sense-other-view"
POINTS = "#word_sense-view-points .js-plotly-plot"
CELLS = "#word_sense-view-cosines .js-plotly-plot"
OTHER_CELLS = "#word_sense-other-view-cosines .js-plotly-plot"
PART = "#word_sense-pairs-more"
NUMBERS = f"{VIEW}-pairs .sense-numbers"
QUERY = "model=elmo-original&other=bert-mini"
HOSTILE = "water | a <b>bank</b> 😀 bank of the river\nmoney | The bank closed.\nmoney | <img src=x onerror=a()> bank"


def open_tab(page: object, query: str = QUERY) -> object:
    """The tab, filled."""
    page.goto(f"{page.base}/?tab=word_sense&{query}")
    page.wait_for_function("document.querySelector('#word_sense-lines textarea')?.value")
    return page


def at(page: object, layer: str, view: str = VIEW) -> None:
    """Wait until the points of a view have come to rest at a layer."""
    page.wait_for_selector(f"{view} .js-plotly-plot[data-layer='{layer}']")


def choose(page: object, control: str, value: str) -> None:
    """Press one of the choices above the plots."""
    page.locator(f"#word_sense-{control} input[value='{value}']").check()


def points(page: object, view: str = VIEW) -> list[tuple[int, list[float]]]:
    """Each point's occurrence and place, as plotly has them now, in the occurrences' order."""
    found = page.evaluate(
        f"""document.querySelector('{view} .js-plotly-plot')._fullData.flatMap(({{ x, y, z, customdata }}) =>
        [...(customdata ?? [])].map((one, at) => [one, [x[at], y[at], ...(z ? [z[at]] : [])]]))"""
    )
    return sorted((one, place) for one, place in found)


def spread(page: object, view: str = VIEW) -> float:
    """How far the points lie apart."""
    places = [place for _, place in points(page, view)]
    return max(max(values) - min(values) for values in zip(*places, strict=True))


def to_layer(page: object, key: str, layer: str) -> None:
    """Press a key on the layer slider, and wait until the points have come to rest."""
    page.locator(f"{VIEW} input[data-name=layer]").press(key)
    at(page, layer)


def compare(page: object) -> None:
    """Unfold the cosines and the numbers, and wait until the first are drawn."""
    unfold(page, "word_sense-pairs", f"{CELLS}[data-layer]")


def cosines(page: object, cells: str = CELLS) -> set[int]:
    """All that stand in the matrix."""
    return set(page.evaluate(f"[...document.querySelector('{cells}')._fullData[0].z].flatMap((row) => [...row])"))


def wait_for_answer(page: object) -> None:
    """Nothing moves any more: empty places show that they wait, and vanish after that."""
    page.wait_for_function("!document.querySelector('[data-testid=status-tracker]:not(.hide)')")


def legend(page: object) -> list[str]:
    """What stands in the points' legend."""
    return page.locator(f"{POINTS} .legendtext").all_text_contents()


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
    page.locator(OTHER_CELLS).scroll_into_view_if_needed()
    area = page.locator(f"{OTHER_CELLS} .nsewdrag").bounding_box()
    page.mouse.move(area["x"] + area["width"] * 0.99, area["y"] + area["height"] * 0.01)
    page.wait_for_selector(f"{OTHER_CELLS} .hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()
    listed = page.locator(f"{OTHER} .occurrences li:not([hidden]) button").locator("visible=true")
    listed.first.wait_for()
    assert listed.count() == 2


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
    marks = [mark.bounding_box() for mark in page.locator(f"{POINTS} .scatterlayer .point").all()]
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
    page.locator(CELLS).scroll_into_view_if_needed()
    area = page.locator(f"{CELLS} .nsewdrag").bounding_box()
    page.mouse.move(area["x"] + area["width"] * 0.99, area["y"] + area["height"] * 0.01)
    page.wait_for_selector(f"{CELLS} .hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()
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
