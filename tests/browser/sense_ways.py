"""Ways through the word-sense tab in a browser: its maps, their slider, its folded matrices."""

from __future__ import annotations

from tests.browser.ways import unfold

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


def click_first_against_last(page: object, cells: str) -> None:
    """Click the upper right cell of a matrix, of the first use and the last."""
    page.locator(cells).scroll_into_view_if_needed()
    area = page.locator(f"{cells} .nsewdrag").bounding_box()
    page.mouse.move(area["x"] + area["width"] * 0.99, area["y"] + area["height"] * 0.01)
    page.wait_for_selector(f"{cells} .hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()
