"""The sentence-pair tab in a browser: swap, topic trap, a paragraph put in order by arrows, mouse and finger."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.ui.texts import examples
from tests.browser.ways import unfold
from tests.conftest import open_page

TEXTS = "first=The+dog+barked.&second=The+cat+ran+away.&model=bert-base-uncased,albert-base-v2"


def open_tab(page: object, query: str = TEXTS) -> object:
    """The tab with both verdicts' models chosen."""
    page.goto(f"{page.base}/?tab=sentence_pair&{query}")
    page.wait_for_function("document.querySelector('#sentence_pair-first textarea')?.value.startsWith('The dog')")
    return page


def cells(page: object, place: str) -> int:
    """How many cells of a heat map hold a number."""
    plot = f"document.querySelector('#sentence_pair-{place} .js-plotly-plot')"
    return page.evaluate(f"{plot}.data[0].z.flat().filter((share) => share !== null).length")


def verdicts(page: object, objective: str) -> list[str]:
    """The percentages of one card: as given and the other way round."""
    return page.locator(f"#sentence_pair-answers article[data-objective={objective}] .value").all_inner_texts()


def test_judge_and_swap(page: object) -> None:
    open_tab(page)
    page.click("#sentence_pair-run")
    page.wait_for_selector("#sentence_pair-answers article[data-objective=sop]")
    nsp, sop = verdicts(page, "nsp"), verdicts(page, "sop")
    answers = page.inner_text("#sentence_pair-answers")
    for word in ("follows", "does not follow", "in order", "swapped"):
        assert word in answers
    page.click("#sentence_pair-swap")
    page.wait_for_function(
        "shown => document.querySelector('#sentence_pair-answers article[data-objective=sop] .value')"
        "?.innerText === shown",
        arg=sop[2],
    )
    assert page.input_value("#sentence_pair-first textarea") == "The cat ran away."
    assert verdicts(page, "sop") == sop[2:] + sop[:2]
    assert verdicts(page, "nsp") == nsp[2:] + nsp[:2]


def test_examples_can_be_read_before_they_are_chosen(page: object) -> None:
    page.goto(f"{page.base}/?tab=sentence_pair")
    page.wait_for_function("window.playground?.ready")
    given = examples("en", "sentence_pair")
    at = next(at for at, one in enumerate(given) if len(one["first"]) + len(one["second"]) > 80)
    buttons = page.locator("#sentence_pair-examples li button")
    long = buttons.nth(at)
    assert long.inner_text() == f"{given[at]['first']} / {given[at]['second']}"
    assert long.evaluate("button => [button, ...button.children].every((one) => one.scrollHeight <= one.clientHeight)")
    rest = page.locator("#sentence_pair-examples button.rest")
    assert rest.count() == 1 and not buttons.nth(8).is_visible()
    rest.focus()
    page.keyboard.press("Enter")
    assert buttons.nth(8).is_visible() and buttons.last.is_visible() and rest.count() == 0
    page.keyboard.press("Enter")  # it has the focus now
    page.wait_for_function(
        "(first) => document.querySelector('#sentence_pair-first textarea').value === first", arg=given[8]["first"]
    )


def test_topic_trap(page: object) -> None:
    open_tab(page)
    unfold(page, "sentence_pair-trap", "#sentence_pair-trap")
    page.click("#sentence_pair-trap")
    page.wait_for_selector("#sentence_pair-trap-plot [data-drawn]")
    assert cells(page, "trap-plot") == 6
    shown = page.locator("#sentence_pair-trap-plot [data-drawn]").text_content()
    shown += page.inner_text("#sentence_pair-trapped")
    for part in ("True next sentence", "Another topic", "52.0%", "78.9%", "The lesson"):
        assert part in shown.replace("\u00a0", " ")


def order(page: object) -> list[int]:
    """The sentences before the visitor, by their place as written."""
    return [int(item.get_attribute("data-index")) for item in page.locator("#sentence_pair-order li").all()]


def drag(page: object, start: int, end: int) -> None:
    """Take the entry at `start` by its handle and drop it on the entry at `end`."""
    page.locator("#sentence_pair-order li").first.scroll_into_view_if_needed()
    handle = page.locator("#sentence_pair-order .handle").nth(start).bounding_box()
    target = page.locator("#sentence_pair-order li").nth(end).bounding_box()
    page.mouse.move(handle["x"] + 8, handle["y"] + 8)
    page.mouse.down()
    page.mouse.move(target["x"] + 60, target["y"] + target["height"] / 2, steps=10)
    page.mouse.up()


def drag_by_finger(page: object, start: int, end: int) -> None:
    """The same by touch."""
    handle = page.locator("#sentence_pair-order .handle").nth(start)
    handle.evaluate("(handle) => handle.scrollIntoView({ block: 'center' })")  # the list of tabs stays at the top
    place, target = handle.bounding_box(), page.locator("#sentence_pair-order li").nth(end).bounding_box()
    finger = page.context.new_cdp_session(page)
    x, y, end_y = place["x"] + 8, place["y"] + 8, target["y"] + target["height"] / 2
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for step in range(1, 11):
        point = {"x": x, "y": y + (end_y - y) * step / 10}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    # A tap right after the finger left belongs to the same gesture for Chromium; a person is slower.
    page.wait_for_timeout(500)


def test_put_a_paragraph_in_order(page: object) -> None:
    open_tab(page)
    sentences = ("The dog barked.", "The cat ran away.", "The <b>soup</b> is hot.", "I love you.")
    unfold(page, "sentence_pair-order", "#sentence_pair-paragraph textarea")
    page.fill("#sentence_pair-paragraph textarea", "\n".join(sentences))
    page.click("#sentence_pair-shuffle")
    page.wait_for_selector("#sentence_pair-order li")
    before = order(page)
    assert sorted(before) == [0, 1, 2, 3] != before
    assert page.locator("#sentence_pair-order b").count() == 0
    page.locator("#sentence_pair-order li").nth(2).locator("button[data-move='-1']").click()
    moved = [before[0], before[2], before[1], before[3]]
    assert order(page) == moved
    drag(page, 0, 3)
    dragged = [*moved[1:], moved[0]]
    assert order(page) == dragged
    page.locator("#sentence_pair-order li").nth(1).locator("button[data-move='1']").focus()
    page.keyboard.press("Enter")
    mine = [dragged[0], dragged[2], dragged[1], dragged[3]]
    assert order(page) == mine
    page.click("#sentence_pair-compare")
    rows = page.locator("#sentence_pair-ordered article[data-model=albert-base-v2] tr[data-order] td.places")
    rows.first.wait_for()
    written, own, best = rows.all_inner_texts()
    assert written == "1 2 3 4"
    assert own == " ".join(str(place + 1) for place in mine)
    assert sorted(best.split()) == ["1", "2", "3", "4"]
    for place in ("matrix", "matrix-1"):
        page.wait_for_selector(f"#sentence_pair-{place} [data-drawn]")
        assert page.locator(f"#sentence_pair-{place} .shapelayer path").count() == 3, "the best order is framed"
    assert page.locator("#sentence_pair-matrix b").count() == 0
    page.wait_for_selector("#sentence_pair-ordered[data-state='']")
    page.fill("#sentence_pair-paragraph textarea", "Another paragraph. It was not ordered yet.")
    page.wait_for_selector("#sentence_pair-ordered[data-state=stale]")


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def test_on_a_phone(phone: object) -> None:
    open_tab(phone)
    phone.tap("#sentence_pair-run")
    phone.wait_for_selector("#sentence_pair-answers article")
    assert "接得上" in phone.inner_text("#sentence_pair-answers")
    sentences = [f"The dog number {number} barked." for number in range(8)]
    unfold(phone, "sentence_pair-order", "#sentence_pair-paragraph textarea")
    phone.fill("#sentence_pair-paragraph textarea", "\n".join(sentences))
    phone.tap("#sentence_pair-shuffle")
    phone.wait_for_selector("#sentence_pair-order li")
    before = order(phone)
    drag_by_finger(phone, 0, 1)
    assert order(phone) == [before[1], before[0], *before[2:]]
    phone.tap("#sentence_pair-compare")
    phone.wait_for_selector("#sentence_pair-matrix [data-drawn]")
    assert cells(phone, "matrix") == 56
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    plot = phone.locator("#sentence_pair-matrix .main-svg").first.bounding_box()
    assert plot["x"] + plot["width"] <= 390
