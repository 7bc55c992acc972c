"""Fine-tuning in a browser: a curve that moves, a model in the other tabs' lists, the encoder, stop, a phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.ui.texts import title
from tests.browser.ways import go_to
from tests.conftest import open_page

# Long rows: with short ones so small a model is trained before anybody can look.
ROWS = "\n".join(
    f"the {word} {index} {f'{word} and ' * 25} | {label}"
    for index in range(20)
    for word, label in (("dog", "A"), ("soup", "<i>B"))
)
POINTS = """[...document.querySelectorAll('#fine_tune-curves .js-plotly-plot')].flatMap((plot) => plot.data ?? [])
  .reduce((sum, trace) => sum + trace.x.length, 0)"""


def open_tab(page: object) -> None:
    """The tab with 40 rows in the box and the small encoder chosen."""
    page.goto(f"{page.base}/?tab=fine_tune")
    page.wait_for_function("document.querySelector('#fine_tune-lines textarea')?.value.includes('|')")
    page.fill("#fine_tune-lines textarea", ROWS)


def test_the_curve_moves_and_the_model_is_asked(page: object) -> None:
    open_tab(page)
    # Plotly is loaded with the first curve, which takes longer than so small a training.
    page.fill("#fine_tune-epochs input[type=number]", "1")
    page.click("#fine_tune-start")
    page.wait_for_selector("#fine_tune-curves .js-plotly-plot[data-drawn]")
    page.wait_for_selector("#fine_tune-runs tbody tr")
    before = page.evaluate(POINTS)
    page.fill("#fine_tune-epochs input[type=number]", "20")
    page.click("#fine_tune-start")
    # How often it is drawn before the end rests on the machine's speed; tests/demos looks at that with set points.
    page.wait_for_function(f"before => {POINTS} > before", arg=before)
    page.wait_for_selector("#fine_tune-runs tbody tr >> nth=1")
    page.wait_for_selector("#fine_tune-curves-1 .js-plotly-plot[data-drawn]")
    assert page.evaluate("document.querySelector('#fine_tune-curves-1 .js-plotly-plot').data[0].z.flat().length") == 4
    assert page.locator("#fine_tune-outcome i").count() == 0
    name = page.locator("#fine_tune-outcome article").get_attribute("data-model")
    page.fill("#fine_tune-try textarea", "the dog\nthe soup")
    page.click("#fine_tune-ask")
    page.wait_for_selector("#fine_tune-answer table")
    assert name in page.inner_text("#fine_tune-answer")
    page.click("#fine_tune-map")
    for place in ("#fine_tune-plot", "#fine_tune-plot-1"):
        page.wait_for_selector(f"{place} .js-plotly-plot[data-drawn] .scatterlayer .point >> nth=0", state="attached")
    page.click("#fine_tune-pack")
    with page.expect_download() as taken:
        page.click("#fine_tune-zip")
    assert taken.value.suggested_filename == f"{name}.zip"
    go_to(page, "classification")
    page.locator("#classification-models input").click()
    page.get_by_role("option", name=f"{name} · yours").click()
    page.fill("#classification-lines textarea", "the dog")
    page.keyboard.press("Escape")
    page.click("#classification-run")
    page.wait_for_selector(f"#classification-answers article[data-model={name}]")


def test_the_encoder_follows_what_is_pasted_and_the_sample_set(page: object) -> None:
    open_tab(page)
    encoder = "title => document.querySelector('#fine_tune-model input').value.startsWith(title)"
    page.wait_for_function(encoder, arg="bert-mini, from this server")
    page.fill("#fine_tune-lines textarea", "狗 | positive\n汤 | negative")
    page.wait_for_function(encoder, arg=title("en", "bert-mini-zh"))
    page.click("#fine_tune-sample input")
    page.get_by_role("option", name="Film sentences").click()
    page.wait_for_function(encoder, arg="bert-mini, from this server")


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def test_stop_on_a_phone(phone: object) -> None:
    open_tab(phone)
    phone.tap("#fine_tune-start")
    phone.wait_for_selector("#fine_tune-status .note")
    phone.tap("#fine_tune-stop")
    phone.wait_for_function("document.querySelector('#fine_tune-status').innerText.match(/页面|没有模型/)")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_race_of_two_on_twenty_rows_shows_its_plot(page: object) -> None:
    open_tab(page)
    lines = "#fine_tune-lines textarea"
    page.wait_for_function(f"document.querySelector('{lines}').value.split('\\n').length > 20")
    page.fill(lines, "\n".join(page.input_value(lines).split("\n")[:20]))
    wanted = ["bag-of-words", "word-vectors-mini"]
    page.wait_for_selector("#fine_tune-racers input[name=bag-of-words]")
    names = page.eval_on_selector_all("#fine_tune-racers input", "boxes => boxes.map((box) => box.name)")
    chosen = "() => [...document.querySelectorAll('#fine_tune-racers input:checked')].map((box) => box.name).sort()"
    for _ in range(20):  # what the page fills in after the rows may come later than the clicks
        for name in names:
            page.set_checked(f"#fine_tune-racers input[name='{name}']", name in wanted)
        page.wait_for_timeout(500)
        if page.evaluate(chosen) == wanted:
            break
    page.click("#fine_tune-race-start")
    page.wait_for_selector("#fine_tune-race-table article p")
    plot = "document.querySelector('#fine_tune-race .js-plotly-plot')"
    page.wait_for_function(f"{plot}?.data?.length === 3 && {plot}.data.every((trace) => trace.y.length > 1)")
    page.wait_for_function(f"{plot}.data[1].y.length === 3")
    drawn = page.evaluate(f"{plot}.data.map((trace) => [trace.name, trace.y.length])")
    assert sorted(name for name, _ in drawn[:2]) == wanted
    assert [count for _, count in drawn] == [3, 3, 2], "5, 10 and all examples; what guessing gets"
    rows = page.eval_on_selector_all("#fine_tune-race-table tbody tr", "rows => rows.length")
    assert rows == 2 and page.inner_text("#fine_tune-race-status").strip() == ""
