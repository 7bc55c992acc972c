"""Words with labels and answers from a passage with only the bundled models; a tagger of your own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.ui.texts import texts
from tests.browser.ways import opened
from tests.conftest import open_page
from tests.running_app import run_app

ROWS = 12


@pytest.fixture(scope="module")
def unplugged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The app without network, with what comes along and nothing else."""
    cache = str(tmp_path_factory.mktemp("cache"))
    extra = {"PLAYGROUND_MODELS": "", "PLAYGROUND_WARM": "0", "PLAYGROUND_OFFLINE": "1", "HF_HUB_CACHE": cache}
    yield from run_app(None, **extra)


@pytest.fixture(params=[("en", 1280), ("zh-CN", 390)], ids=["en", "zh-CN, phone"])
def visitor(request: pytest.FixtureRequest, browser: object, unplugged: str) -> Iterator[object]:
    """A visitor in one of the languages, on a screen of some width."""
    language, width = request.param
    for page in open_page(browser, unplugged, locale=language, viewport={"width": width, "height": 844}):
        page.language, page.width = language, width
        yield page


def ask(visitor: object, slug: str, box: str) -> None:
    """Open a tab and press its button, with what stands in it."""
    visitor.goto(f"{visitor.base}/?tab={slug}")
    opened(visitor, slug)
    visitor.wait_for_function(f"document.querySelector('#{box} textarea').value")
    visitor.click(f"#{slug}-run")


def check_told(visitor: object, slug: str, error: str) -> None:
    """The page says what is needed and answers nothing."""
    visitor.wait_for_selector("[data-testid=toast-text]")
    told = visitor.inner_text("[data-testid=toast-text]")
    need = texts("errors")[visitor.language][error].split("{model}")[1]
    assert need.strip() in told
    assert visitor.locator(f"#{slug}-answer article").count() == 0


def test_unplugged_chinese_questions_are_answered_and_english_ones_need_the_package(visitor: object) -> None:
    ask(visitor, "answering", "answering-passage")
    if visitor.language == "en":
        check_told(visitor, "answering", "model_unavailable.not_installed_alone")
    else:
        answer = visitor.locator("#answering-answer article[data-model=bert-mini-zh-answers]")
        assert "陈大海" in answer.inner_text()
    assert visitor.evaluate("document.documentElement.scrollWidth") <= visitor.width


def test_unplugged_chinese_names_are_marked_and_english_ones_need_the_package(visitor: object) -> None:
    ask(visitor, "tagging", "tagging-text")
    if visitor.language == "en":
        check_told(visitor, "tagging", "model_unavailable.not_installed_alone")
    else:
        answer = visitor.locator("#tagging-answer article[data-model=bert-mini-zh-names]")
        answer.wait_for()
        assert answer.locator("mark").count() == 3
    assert visitor.evaluate("document.documentElement.scrollWidth") <= visitor.width


def test_a_tagger_of_ones_own_answers_in_its_tab(visitor: object) -> None:
    visitor.goto(f"{visitor.base}/?tab=fine_tune")
    opened(visitor, "fine_tune")
    sample = "names" if visitor.language == "en" else "names_zh"
    visitor.click("#fine_tune-sample input")
    visitor.get_by_role("option", name=texts("fine_tune")[visitor.language][f"sample.{sample}"]).click()
    box = "#fine_tune-lines textarea"
    visitor.wait_for_function(f"document.querySelector('{box}').value.includes('](')")
    visitor.fill(box, "\n".join(visitor.input_value(box).split("\n")[:ROWS]))
    visitor.fill("#fine_tune-epochs input[type=number]", "2")
    visitor.click("#fine_tune-start")
    name = visitor.locator("#fine_tune-outcome article").get_attribute("data-model")
    assert visitor.locator("#fine_tune-outcome .entity-scores").count() == 1
    visitor.click("#fine_tune-own-tag")
    opened(visitor, "tagging")
    visitor.wait_for_function(f"document.querySelector('#tagging-model input').value.startsWith('{name}')")
    text = "Anna lives in Rome." if visitor.language == "en" else "小明住在上海。"
    visitor.fill("#tagging-text textarea", text)
    visitor.click("#tagging-run")
    answer = visitor.locator(f"#tagging-answer article[data-model={name}]")
    answer.wait_for()
    words = answer.locator("details tbody tr td:first-child").all_text_contents()
    assert "".join(words) == text.replace(" ", "")
    assert visitor.evaluate("document.documentElement.scrollWidth") <= visitor.width
