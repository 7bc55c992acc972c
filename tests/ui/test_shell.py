"""The frame around the tabs: the answer to a call with too few arguments, whose text is not logged."""

from __future__ import annotations

import threading
import time
from itertools import groupby

import gradio as gr
import pytest

import demos
from app.metrics import measured
from app.ui import shell
from app.ui.shell import discover, playground, standalone
from app.ui.texts import LANGUAGES, texts
from demos import fine_tune
from demos.surprise import TAB


def test_too_few_arguments_get_a_sentence_without_what_was_sent(capfd: pytest.CaptureFixture) -> None:
    page = standalone(TAB)
    event = next(event for event in page.fns.values() if len(event.inputs) == 3)
    with pytest.raises(gr.Error, match=r"all 3 arguments of .*\(bad_value\)") as caught:
        page.validate_inputs(event, ["a secret"])
    assert "secret" not in str(caught.value) and not caught.value.print_exception
    page.validate_inputs(event, ["one", "two", "three"])
    assert "secret" not in "".join(capfd.readouterr())


def test_a_visitors_question_goes_before_what_is_answered_in_advance(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    class Prepared:
        def make(self, language: str) -> bool:
            done.append(language)
            return True

    def ask() -> None:
        with measured("a visitor's"):
            asked.set()
            time.sleep(0.3)
        done.append("a visitor's")

    asked = threading.Event()
    monkeypatch.setattr(shell, "openings_of", lambda page: [Prepared()])
    visitor = threading.Thread(target=ask)
    visitor.start()
    asked.wait()
    shell.answer_examples(gr.Blocks())
    visitor.join()
    assert done[0] == "a visitor's" and done[1:] == list(LANGUAGES)


@pytest.mark.slow
def test_an_argument_that_came_later_may_be_left_out() -> None:
    page = standalone(fine_tune.TAB)
    event = next(event for event in page.fns.values() if event.api_name == "fine_tune")
    given: list[object] = [[], "bert-mini", 1, 2e-4, 0, 0.25]
    assert len(event.inputs) == len(given) + 2
    page.validate_inputs(event, given)
    assert given[6:] == ["", ""]
    before_weights: list[object] = [*given[:6], "pair"]
    page.validate_inputs(event, before_weights)
    assert before_weights[6:] == ["pair", ""]
    with pytest.raises(gr.Error, match="all 8 arguments"):
        page.validate_inputs(event, given[:5])


@pytest.mark.slow
def test_every_event_stays_on_its_page() -> None:
    page = playground(discover(demos))
    for number, event in page.fns.items():
        given = [page.blocks[target].page for target, _ in event.targets if target not in (None, page._id)]
        given += [block.page for block in (*event.inputs, *event.outputs)]
        assert {*given} <= {event.page}, (number, event.name)


@pytest.mark.slow
def test_every_tab_is_a_page() -> None:
    tabs = discover(demos)
    page = playground(tabs)
    assert [path for path, *_ in page.pages] == ["", *(tab.slug for tab in tabs[1:])]
    assert {block.elem_id for block in page.blocks.values() if block.page == "surprise"} >= {"contents", "surprise-run"}


def test_every_tab_has_a_place_of_its_own() -> None:
    tabs = discover(demos)
    assert len({tab.order for tab in tabs}) == len(tabs)
    assert all(isinstance(tab.order, int) for tab in tabs)


def test_the_tabs_tell_a_story_in_chapters() -> None:
    tabs = discover(demos)
    assert tabs[0].slug == "start" and [tab.slug for tab in tabs if not tab.group] == ["start", "lessons"]
    chapters = [group for group, _ in groupby(tab.group for tab in tabs)]
    assert len(chapters) == len(set(chapters)), "the tabs of a group follow one another"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_counts_on_the_order_of_the_tabs(language: str) -> None:
    counting = ("next tab", "previous tab", "tab before", "tab after", "下一个标签页", "再下一页", "上一个标签页")
    for tab in discover(demos):
        for key, said in texts(tab.slug)[language].items():
            assert not isinstance(said, str) or not any(words in said for words in counting), (tab.slug, key)
    named = {texts(slug)[language]["title"] for slug in ("attribution", "fine_tune")}
    assert all(title in texts("classification")[language]["intro"] for title in named)
