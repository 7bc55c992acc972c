"""First answers: found only for their own question, kept in a file, gone with the model or program that gave them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import gradio as gr
import pytest
from starlette.requests import Request

from app.errors import PlaygroundError
from app.registry import stamp as stamps
from app.ui import first_answers
from app.ui.asking import Asking
from app.ui.events import friendly
from app.ui.first_answers import ANSWERED, FIELDS, NOTHING, FirstAnswer, Opening
from app.ui.texts import language_of
from tests.conftest import SetSetting

MODEL = "bert-mini"


@dataclass(frozen=True)
class Held:
    """What a state holds."""

    words: tuple[str, ...]


class Tab:
    """A tab with a text, a model and an answer, that counts how often it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, list[str], int]] = []
        self.fails = False
        with gr.Blocks():
            self.text, self.models, self.count = gr.Textbox(), gr.Dropdown(multiselect=True), gr.Slider(1, 9, value=5)
            self.answer, self.state, self.column = gr.HTML(elem_id="answer"), gr.State(None), gr.Column()
        question = Asking(
            friendly(self.on_run), [self.text, self.models, self.count], [self.answer, self.state, self.column], []
        )
        first = FirstAnswer(question, self.answer, {self.state: Held})
        self.opening = Opening("fill_mask", self.on_open, [self.text, self.models], first)

    def on_open(self, request: gr.Request) -> tuple[str, gr.Dropdown]:
        text = request.query_params.get("text", "eine" if language_of(request) == "zh-CN" else "one")
        return text, gr.Dropdown(choices=[MODEL, "albert-mini"], value=[request.query_params.get("model", MODEL)])

    def on_run(
        self, text: str, models: list[str], count: int, request: gr.Request
    ) -> Iterator[tuple[str, Held, gr.Column]]:
        if self.fails:
            raise PlaygroundError("empty_text", field="text")
        self.asked.append((text, models, count))
        return f"<b>{text}</b>", self.held(text), gr.Column(visible=False)

    def held(self, text: str) -> Held:
        return Held((text,))

    def load(self, query: str = "") -> list[object]:
        """The answer's outputs as a page with this address gets them."""
        request = Request({"type": "http", "query_string": query.encode(), "headers": []})
        return self.opening.load(gr.Request(request))[2:]


@pytest.fixture
def tab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting) -> Iterator[Tab]:
    set_setting(cache=str(tmp_path))
    monkeypatch.setattr(first_answers, "_kept", {})
    yield Tab()


EMPTY = [gr.skip()] * 3


def test_what_the_handler_says_is_shown_with_its_model(tab: Tab) -> None:
    assert tab.load() == EMPTY
    assert tab.opening.make("en")
    answer, state, column = tab.load()
    assert answer.endswith("<b>one</b>") and "bert-mini (bundled, " in answer
    assert state == Held(("one",)) and column["visible"] is False and column["__type__"] == "update"
    assert tab.asked == [("one", [MODEL], 5)]


@pytest.mark.parametrize("query", ["text=two", "model=albert-mini", "lang=zh-CN"])
def test_nothing_is_shown_for_another_question(tab: Tab, query: str) -> None:
    tab.opening.make("en")
    assert tab.load(query) == EMPTY
    assert tab.load("text=one") != EMPTY


def test_each_language_has_its_own(tab: Tab) -> None:
    tab.opening.make("en")
    tab.opening.make("zh-CN")
    assert "bert-mini (内置, " in tab.load("lang=zh-CN")[0]
    assert tab.load("lang=zh-CN")[0].endswith("<b>eine</b>") and tab.load()[0].endswith("<b>one</b>")


def test_what_a_state_holds_is_made_once_for_all_visits(tab: Tab) -> None:
    tab.opening.make("en")
    first, second = tab.load()[1], tab.load()[1]
    assert first == second == Held(("one",)) and first.words is second.words


def test_a_list_in_a_state_is_each_visits_own(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    first = FirstAnswer(tab.opening.first.question, tab.answer, {tab.state: list[Held]})
    monkeypatch.setattr(tab, "opening", Opening("fill_mask", tab.on_open, [tab.text, tab.models], first))
    monkeypatch.setattr(tab, "held", lambda text: [Held((text,))])
    tab.opening.make("en")
    tab.load()[1].clear()
    assert tab.load()[1] == [Held(("one",))]


def test_a_second_start_has_it_at_once(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    tab.opening.make("en")
    monkeypatch.setattr(first_answers, "_kept", {})
    assert tab.load()[1] == Held(("one",))
    assert tab.opening.make("en") and len(tab.asked) == 1


def test_a_replaced_model_shows_no_stale_answer(tab: Tab, tmp_path: Path, set_setting: SetSetting) -> None:
    own = tmp_path / "own" / MODEL
    own.mkdir(parents=True)
    (own / "config.json").write_text("{}")
    set_setting(models=str(own.parent))
    tab.opening.make("en")
    assert tab.load() != EMPTY
    (own / "config.json").write_text("{ }")
    assert tab.load() == EMPTY
    tab.opening.make("en")
    assert tab.load() != EMPTY and len(tab.asked) == 2
    assert len([*(tmp_path / "first-answers").iterdir()]) == 1, "the old one is deleted"


def test_another_program_shows_no_stale_answer(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    tab.opening.make("en")
    monkeypatch.setattr(first_answers, "program", lambda: "another")
    assert tab.load() == EMPTY


def test_what_cannot_be_answered_stays_empty(tab: Tab) -> None:
    tab.fails = True
    assert not tab.opening.make("en") and tab.load() == EMPTY


def test_a_file_cut_off_is_made_again(tab: Tab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tab.opening.make("en")
    (file,) = (tmp_path / "first-answers").iterdir()
    file.write_text(file.read_text()[:20])
    monkeypatch.setattr(first_answers, "_kept", {})
    assert tab.load() == EMPTY
    assert tab.opening.make("en") and tab.load() != EMPTY


def test_a_read_only_disk_keeps_it_in_memory(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(first_answers.tempfile, "mkstemp", full)
    assert tab.opening.make("en") and tab.load() != EMPTY


def test_a_branch_has_no_answer_kept(tab: Tab, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing tells whether what a branch of the Hub names is still the same."""
    unpinned = next(name for name, one in stamps.BY_NAME.items() if one.revision == stamps.UNPINNED)
    assert stamps.stamp(unpinned) == ""
    monkeypatch.setattr(tab.opening.first.question.asked[1], "value", None)
    assert tab.load(f"model={unpinned}") == EMPTY


def linkable(tab: Tab) -> Opening:
    return Opening("fill_mask", tab.on_open, [tab.text, tab.models], tab.opening.first, keys=("text",))


def request_of(query: str = "") -> gr.Request:
    return gr.Request(Request({"type": "http", "query_string": query.encode(), "headers": []}))


def test_a_page_brings_its_fields_and_its_answer_as_soon_as_there_is_one(tab: Tab) -> None:
    opening = linkable(tab)
    brought, values = opening.bring(request_of())
    assert brought == FIELDS and values[0] == "one" and values[2:] == EMPTY
    opening.make("en")
    brought, values = opening.bring(request_of())
    assert brought == ANSWERED and values[2].endswith("<b>one</b>")
    assert opening.bring(request_of("text=one")) == (NOTHING, [])


def test_what_the_page_has_is_not_sent_again(tab: Tab) -> None:
    """But its session needs what a picker offers and what the answer's state holds."""
    opening = linkable(tab)
    opening.make("en")
    text, models, answer, state, column = opening.load(request_of(), ANSWERED)
    assert [text, answer, column] == EMPTY and state == Held(("one",)) and models != gr.skip()
    text, _, answer, *_ = opening.load(request_of(), FIELDS)
    assert text == gr.skip() and answer.endswith("<b>one</b>")


def test_who_waits_together_is_answered_once(tab: Tab) -> None:
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(tab.opening.make, ["en"] * 4))
    assert len(tab.asked) == 1
