"""Every example of every tab, in both languages, with the bundled models: each gets an answer, none an error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from app.ui.texts import LANGUAGES, texts
from tests.browser.ways import unfold
from tests.conftest import open_page
from tests.running_app import run_app


@dataclass(frozen=True)
class Examples:
    """One list of prepared inputs.

    Attributes:
        tab: slug.
        list: id of the list of buttons.
        key: of the entries in the tab's texts.
        answer: id of what holds the answer.
        then: the button to press where a click fills the fields without asking; empty where it asks.
        field: the box to wait for before pressing, and the key of what it then holds.
        fold: the folded part of the tab in which the list stands, if there is one.
    """

    tab: str
    list: str
    key: str
    answer: str
    then: str = ""
    field: tuple[str, str] = ("", "")
    fold: str = ""


ALL = (
    Examples("fill_mask", "fill_mask-examples", "examples", "fill_mask-answers"),
    Examples("sentence_pair", "sentence_pair-examples", "examples", "sentence_pair-answers"),
    Examples(
        "sentence_pair", "sentence_pair-paragraphs", "paragraphs", "sentence_pair-order", "sentence_pair-shuffle",
        ("sentence_pair-paragraph", "text"), "sentence_pair-order",
    ),
    Examples("word_vectors", "word_vectors-examples", "examples", "word_vectors-answer"),
    Examples("word_vectors", "word_vectors-analogies", "analogies", "word_vectors-analogy"),
    Examples("word_sense", "word_sense-examples", "examples", "word_sense-view"),
    Examples("classification", "classification-examples", "examples", "classification-answers"),
    Examples("attribution", "attribution-examples", "examples", "attribution-words"),
    Examples("prompting", "prompting-examples", "examples", "prompting-left"),
    Examples("surprise", "surprise-examples", "examples", "surprise-answers"),
    Examples("surprise", "surprise-prepared", "pairs", "surprise-decided", fold="surprise-pairs"),
    Examples("zero_shot", "zero_shot-tasks", "templates", "zero_shot-answers"),
    Examples("attention", "attention-examples", "examples", "attention-view"),
    Examples("tokenization", "tokenization-examples", "examples", "tokenization-answers"),
)  # fmt: skip
ANSWER = "article, table, canvas, button, .surprisal"
# What is counted: how often the page was told that an answer is there, or that there is none.
COUNT = """() => {
  window.ended = [];
  for (const name of ["answered", "failed"]) {
    const told = playground[name].bind(playground);
    playground[name] = (group, ...rest) => { ended.push([name, group]); return told(group, ...rest); };
  }
}"""


@pytest.fixture(scope="module")
def bundled() -> Iterator[str]:
    """The app over the bundled models, as it is without any package."""
    yield from run_app(None, PLAYGROUND_MODELS="", PLAYGROUND_WARM="0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_example_is_answered(browser: object, bundled: str, language: str) -> None:
    for page in open_page(browser, bundled):
        for examples in ALL:
            page.goto(f"{page.base}/?tab={examples.tab}&lang={language}")
            page.wait_for_function(f"window.playground?.ready && '{examples.tab}' in playground.begun")
            page.evaluate(COUNT)
            if examples.fold:
                unfold(page, examples.fold, f"#{examples.list}")
            page.locator(f"#{examples.list} li button").first.wait_for()
            if page.locator(f"#{examples.list} > button.rest").is_visible():
                page.click(f"#{examples.list} > button.rest")
            entries = texts(examples.tab)[language][examples.key]
            buttons = page.locator(f"#{examples.list} li button")
            assert buttons.count() == len(entries), examples
            for index, entry in enumerate(entries):
                click(page, examples, index, entry)


def click(page: object, examples: Examples, index: int, entry: dict[str, object]) -> None:
    """One example, up to its answer; an error of any kind fails."""
    page.evaluate("ended.length = 0")
    page.locator(f"#{examples.list} li button").nth(index).click()
    if examples.then:
        box, key = examples.field
        page.wait_for_function(
            "([box, text]) => document.querySelector(`#${box} textarea`).value === text", arg=[box, entry[key]]
        )
        page.locator(f"#{examples.then}").click()
    # An answer that grows is told of at its beginning and at its end.
    times = 2 if examples.tab in ("prompting", "classification") else 1
    ended = f"ended.filter(([, group]) => group.includes('{examples.answer}')).length >= {times}"
    failed = "document.querySelector('[data-testid=toast-body].error')"
    answered = f"document.querySelector('#{examples.answer}')?.querySelector('{ANSWER}, li')"
    asked = "true" if examples.tab == "sentence_pair" and examples.then else ended
    page.wait_for_function(f"() => {failed} || ({asked} && {answered})")
    errors = page.locator("[data-testid=toast-text]").all_inner_texts()
    assert errors == [], f"{examples.list}, example {index}, {entry}"
    assert page.locator("[data-state=failed]").count() == 0, f"{examples.list}, example {index}"
