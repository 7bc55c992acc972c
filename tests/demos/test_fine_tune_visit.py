"""Finished and running trainings are visible on every page of the visit, and to nobody else."""

from __future__ import annotations

import threading

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.tune import TunedRun, Tuning
from app.ui.texts import texts
from app.views.notes import draw_note
from app.visits import visits
from demos import fine_tune as demo

LINES = "the dog ran | A\nthe soup | B\nyou ran | A\nthe hot soup | B"
HOW = ("bert-mini", "full", 1, "1e-3", 4, 0, 0.25, False, False, False, 0)


pytestmark = pytest.mark.usefixtures("fresh_trainings")


def request(visitor: str) -> gr.Request:
    """A visitor's request."""
    return gr.Request(query_params={"lang": "en"}, headers={}, session_hash=visitor)


def trained(visitor: str) -> tuple[gr.Dropdown, list[TunedRun]]:
    """One model, as the page shows it."""
    *_, (*_, own, runs) = demo.on_start(LINES, None, "", None, "", "", "", *HOW, [], request(visitor))
    return own, runs


def test_what_was_trained_is_there_when_the_tab_is_opened_again() -> None:
    own, runs = trained("ben")
    *_, curves, table, offered, again = demo.on_open(request("ben"))
    assert [run.result for run in again] == [run.result for run in runs] and offered.value == own.value
    assert isinstance(curves, gr.Plot) and own.value in table
    assert demo.on_open(request("carla"))[-1] == [], "nobody else sees it"
    visits().end("ben")
    assert demo.on_open(request("ben"))[-1] == []


def test_a_training_is_seen_by_a_page_that_was_opened_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    (shown,) = demo.on_return([], request("dora"))
    assert [*shown] == [gr.skip()] * 7, (
        "nothing runs, and all stays as it is; Gradio empties the outputs of a stream that says nothing"
    )
    begun, goes_on = threading.Event(), threading.Event()

    def run(*asked: object) -> None:
        begun.set()
        assert goes_on.wait(60)

    monkeypatch.setattr("app.tasks.fine_tune.runs.run_tuning", run)
    first = demo.visit_runs.start_tuning([], "bert-mini", Options(), "dora")
    next(first)
    assert begun.wait(60)
    second = demo.on_return([], request("dora"))
    assert "note" in next(second)[0]
    with pytest.raises(PlaygroundError, match="own"):
        next(demo.visit_runs.start_tuning([], "bert-mini", Options(), "dora"))
    goes_on.set()
    *_, (told, *_) = second
    assert told == draw_note(texts("fine_tune")["en"]["nothing"])


def test_a_start_right_after_a_stop_waits_for_the_stopped_one(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = [threading.Event(), threading.Event()], []

    def run(rows: object, model: str, options: object, visitor: str, tuning: Tuning) -> None:
        number = len(ended) if model == "first" else 1
        begun[number].set()
        assert model == "second" or tuning.stop.wait(60)
        ended.append(model)

    monkeypatch.setattr("app.tasks.fine_tune.runs.run_tuning", run)
    first = demo.visit_runs.start_tuning([], "first", Options(), "emil")
    next(first)
    assert begun[0].wait(60)
    demo.visit_runs.stop_tuning("emil")
    second = demo.visit_runs.start_tuning([], "second", Options(), "emil")
    next(second)
    assert begun[1].wait(60) and ended[0] == "first"
    for stream in (first, second):
        list(stream)
    assert ended == ["first", "second"]
