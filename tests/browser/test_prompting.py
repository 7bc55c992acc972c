"""The prompting tabs in a browser: stream, click on a token, branch, stop, side by side; zero-shot table; a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.ui.texts import texts
from tests.browser.ways import unfold
from tests.checkpoints import save, tiny_tokenizers
from tests.conftest import open_page
from tests.running_app import run_app

LEFT = "#prompting-left article"


def open_tab(page: object, query: str = "prompt=The+dog&model=gpt2&seed=3") -> object:
    """The tab with its prompt filled in."""
    page.goto(f"{page.base}/?tab=prompting&{query}")
    page.wait_for_function("document.querySelector('#prompting-prompt textarea')?.value.startsWith('The dog')")
    return page


def set_number(page: object, selector: str, value: int) -> None:
    """Type into a slider's number field."""
    field = page.locator(f"{selector} input[type=number]")
    field.fill(str(value))
    field.press("Tab")


def ended(page: object, how: str = "") -> str:
    """Wait until the left text has ended; its text."""
    page.wait_for_selector(f"{LEFT}[data-stopped='{how}']" if how else f"{LEFT}:not([data-stopped=''])")
    return page.inner_text(f"{LEFT} .surprisal")


def test_write_click_a_token_and_branch(page: object) -> None:
    open_tab(page)
    page.wait_for_function("document.querySelector('#prompting-size')?.innerText.includes('1,024')")
    set_number(page, "#prompting-new", 12)
    page.click("#prompting-write")
    first = ended(page)
    assert first.startswith("The dog") and page.locator(f"{LEFT} [data-index]").count() >= 1
    page.locator(f"{LEFT} [data-index]").nth(2).focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#prompting-choice article.choice")
    assert page.locator("#prompting-choice .track").count() == 2 * page.locator("#prompting-choice li").count() > 2
    kept = page.locator(f"{LEFT} [data-index]").nth(1).inner_text()
    page.locator("#prompting-choice li:not(.chosen) button[data-token]").first.click()
    page.wait_for_function("document.querySelector('#prompting-choice article') === null")
    second = ended(page)
    # A piece that was half a character is shown together with the piece that now follows it.
    assert second != first
    assert page.locator(f"{LEFT} [data-index]").nth(1).inner_text().startswith(kept.removesuffix("⟩"))


@pytest.fixture
def slow(browser: object, tmp_path: Path) -> Iterator[object]:
    """The tab alone over a model that takes its time."""
    from transformers import GPT2Config, GPT2LMHeadModel

    tokenizer = tiny_tokenizers()["gpt2"]
    save(tmp_path / "gpt2", GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), n_layer=24)), tokenizer)
    for server in run_app(tmp_path, arguments=("-m", "demos.prompting"), PLAYGROUND_WARM="0"):
        yield from open_page(browser, server)


def test_stop(slow: object) -> None:
    page = open_tab(slow)
    set_number(page, "#prompting-new", 400)
    page.click("#prompting-write")
    page.wait_for_selector(f"{LEFT}[data-stopped=''] [data-index='3']")
    page.click("#prompting-stop")
    ended(page, "visitor")
    count = page.locator(f"{LEFT} [data-index]").count()
    page.wait_for_timeout(1_500)
    assert page.locator(f"{LEFT} [data-index]").count() == count < 400


def test_an_example_writes_at_once(page: object) -> None:
    open_tab(page)
    set_number(page, "#prompting-new", 4)
    page.click("#prompting-write")
    ended(page)
    prompts = [one["prompt"] for one in texts("prompting")["en"]["examples"]]
    page.locator("#prompting-examples li button").nth(1).click()
    page.wait_for_function(f"document.querySelector('{LEFT} .prompt')?.textContent === {json.dumps(prompts[1])}")
    ended(page)
    assert page.locator("#prompting-left").get_attribute("data-state") == ""


def test_an_example_takes_the_place_of_what_is_being_written(slow: object) -> None:
    page = open_tab(slow)
    set_number(page, "#prompting-new", 400)
    page.click("#prompting-write")
    page.wait_for_selector(f"{LEFT}[data-stopped=''] [data-index='3']")
    at, one = next(pair for pair in enumerate(texts("prompting")["en"]["examples"]) if pair[1]["new_tokens"] < 10)
    page.locator("#prompting-examples li button").nth(at).click()
    page.wait_for_function(f"document.querySelector('{LEFT} .prompt')?.textContent === {json.dumps(one['prompt'])}")
    ended(page)
    assert page.locator("#prompting-left").get_attribute("data-state") == ""
    assert page.locator("[data-testid=toast-text]").count() == 0


def test_a_task_of_zero_shot_asks_at_once(page: object) -> None:
    page.goto(f"{page.base}/?tab=zero_shot&model=gpt2")
    page.wait_for_function("document.querySelector('#zero_shot-text textarea')?.value")
    page.click("#zero_shot-ask")
    page.wait_for_selector("#zero_shot-answers table.zero-shot")
    page.evaluate("document.querySelector('#zero_shot-answers table.zero-shot').id = 'old'")
    page.locator("#zero_shot-tasks li button").nth(1).click()
    page.locator("#old").wait_for(state="detached")
    labels = texts("zero_shot")["en"]["templates"][1]["labels"]
    page.wait_for_selector("#zero_shot-answers table.zero-shot")
    assert page.locator("#zero_shot-answers td.cell").count() == len(labels) * 4
    page.wait_for_selector("#zero_shot-answers[data-state='']")


def test_two_side_by_side_and_a_space_at_the_end(page: object) -> None:
    open_tab(page, "prompt=The+dog+&model=gpt2&seed=3")
    page.click("#prompting-trim")
    page.wait_for_function("document.querySelector('#prompting-prompt textarea').value === 'The dog'")
    page.check("#prompting-two input")
    page.wait_for_selector("#prompting-second-model")
    set_number(page, "#prompting-new", 6)
    page.click("#prompting-write")
    ended(page)
    page.wait_for_selector("#prompting-right article:not([data-stopped=''])")


def test_zero_shot_table(page: object) -> None:
    page.goto(f"{page.base}/?tab=zero_shot&model=gpt2")
    page.wait_for_function("document.querySelector('#zero_shot-text textarea')?.value")
    page.click("#zero_shot-ask")
    page.wait_for_selector("#zero_shot-answers table.zero-shot")
    assert page.locator("#zero_shot-answers td.cell").count() == 2 * 4
    assert page.locator("#zero_shot-answers td.favourite").count() == 4
    set_number(page, "#zero_shot-shots", 2)
    unfold(page, "zero_shot-bench", "#zero_shot-tests textarea")
    assert "|" in page.input_value("#zero_shot-tests textarea")
    page.fill("#zero_shot-tests textarea", "I love the dog. | good\nThe <b>soup</b> is cold. | bad")
    page.click("#zero_shot-measure")
    page.wait_for_selector("#zero_shot-measured table.bench")
    page.wait_for_selector("#zero_shot-accuracy [data-drawn]")
    assert page.locator("#zero_shot-accuracy .barlayer .point").count() == 4
    assert page.locator("#zero_shot-measured table.bench tbody tr").count() == 2
    assert page.locator("#zero_shot-measured b").count() == 0
    assert "2 texts, each after 2 solved examples" in page.inner_text("#zero_shot-measured")


@pytest.fixture
def phone(browser: object, server: str) -> Iterator[object]:
    """A dark phone in Chinese."""
    size = {"width": 390, "height": 844}
    yield from open_page(browser, server, viewport=size, locale="zh-CN", color_scheme="dark", has_touch=True)


def test_on_a_phone(phone: object) -> None:
    open_tab(phone)
    set_number(phone, "#prompting-new", 12)
    phone.tap("#prompting-write")
    ended(phone)
    phone.locator(f"{LEFT} [data-index]").first.tap()
    phone.wait_for_selector("#prompting-choice article.choice")
    assert "为什么是这个词元" in phone.inner_text("#prompting-choice")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.goto(f"{phone.base}/?tab=surprise&model=gpt2&lang=zh-CN")
    phone.wait_for_function("document.querySelector('#surprise-first textarea')?.value")
    unfold(phone, "surprise-pairs", "#surprise-lines textarea")
    assert "|" in phone.input_value("#surprise-lines textarea")
    phone.tap("#surprise-decide")
    phone.wait_for_selector("#surprise-decided table.bench")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
