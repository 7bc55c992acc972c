"""Gradio's internals that the app uses, on a running server: a new version that changes them fails here."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import gradio as gr
import httpx
import pytest
from gradio import blocks
from gradio.blocks import BlocksConfig

from app.ui.events import KINDS
from app.ui.gradio_internals.components import as_in_event, as_update, number_of
from app.ui.gradio_internals.queueing import KEPT_FREE, FairQueue
from app.ui.gradio_internals.sessions import delete_files
from app.ui.shell import THREADS, launch, playground, standalone
from app.ui.tab import Tab
from tests.conftest import ROOT

SECRET = "a visitor's own sentence"
GO_ON = threading.Event()


def wait() -> str:
    """Until the test says so."""
    return "waited" if GO_ON.wait(60) else "in vain"


def build(page: gr.Blocks) -> None:
    """A tab that counts its calls and shows what was typed; and many more components."""
    count, typed, shown = gr.State(0), gr.Textbox(), gr.Textbox()
    button = gr.Button()
    for number in range(100):
        gr.Textbox(label=str(number))
    slider, number = gr.Slider(1, 20, 5), gr.Number(0, minimum=0, precision=0)
    button.click(lambda *given: repr(given), [slider, number], shown, api_name="numbers")
    button.click(wait, None, shown, api_name="wait")
    late, picked, fixed = gr.Dropdown(), gr.CheckboxGroup(), gr.Dropdown(["a"])
    button.click(lambda *chosen: repr(chosen), [late, picked, fixed], shown, api_name="choose")
    button.click(lambda: gr.Dropdown(choices=["b"], value="b"), None, late, api_name="fill")
    button.click(
        lambda text, count: (f"{count + 1}: {text}", gr.Textbox(value=text, lines=3), count + 1),
        [typed, count],
        [shown, typed, count],
        api_name="count",
    )


@pytest.fixture(scope="module")
def page() -> Iterator[gr.Blocks]:
    opened = launch(standalone(Tab(slug="fill_mask", order=1, build=build)))
    yield opened
    opened.close()


def ask(page: gr.Blocks, session: str) -> str:
    place = next(index for index, block in page.fns.items() if block.api_name == "count")
    sent = {"data": [SECRET, None], "fn_index": place, "session_hash": session}
    httpx.post(f"{page.local_url}gradio_api/queue/join", json=sent).raise_for_status()
    with httpx.stream("GET", f"{page.local_url}gradio_api/queue/data?session_hash={session}", timeout=30) as answer:
        return next(line for line in answer.iter_lines() if "process_completed" in line)


def test_states_last_from_call_to_call_and_are_each_sessions_own(page: gr.Blocks) -> None:
    assert "1: " in ask(page, "anna") and "2: " in ask(page, "anna") and "1: " in ask(page, "ben")


def test_a_new_session_does_not_copy_the_pages_configuration(page: gr.Blocks, monkeypatch: pytest.MonkeyPatch) -> None:
    made, config_for_block = [], BlocksConfig.config_for_block

    def counted(config: BlocksConfig, key: int, *rest: object) -> dict:
        made.append(key)
        return config_for_block(config, key, *rest)

    monkeypatch.setattr(BlocksConfig, "config_for_block", counted)
    ask(page, "carla")
    assert len(made) < 10, "of more than a hundred components"


def test_a_session_keeps_no_text_and_goes_when_its_page_is_closed(page: gr.Blocks) -> None:
    ask(page, "dora")
    holder = page.state_holder
    assert SECRET not in str(holder.session_data["dora"].config_values)
    with httpx.stream("GET", f"{page.local_url}gradio_api/heartbeat/dora", timeout=30) as heartbeat:
        next(heartbeat.iter_lines())
    deadline = time.monotonic() + 30
    while "dora" in holder.session_data and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "dora" not in holder.session_data


def test_who_still_waits_is_not_dropped_for_others(page: gr.Blocks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Gradio remembers so many sessions and drops the oldest, even where its long question is being worked on."""
    monkeypatch.setattr(page._queue.pending_messages_per_session, "max_size", 5)
    place = next(index for index, block in page.fns.items() if block.api_name == "wait")
    post(page, "queue/join", {"data": [], "fn_index": place, "session_hash": "lena"}).raise_for_status()
    try:
        for number in range(12):
            ask(page, f"other {number}")
    finally:
        GO_ON.set()
    with httpx.stream("GET", f"{page.local_url}gradio_api/queue/data?session_hash=lena", timeout=30) as answer:
        line = next(line for line in answer.iter_lines() if "process_completed" in line)
    assert json.loads(line.removeprefix("data: "))["output"]["data"] == ["waited"]


def test_a_page_of_many_routes_is_described_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at the end of each route, which would be again and again."""
    made, create_app = [], blocks.App.create_app

    def counted(page: gr.Blocks, **named: object) -> object:
        made.append(len(page.blocks))
        return create_app(page, **named)

    monkeypatch.setattr(blocks.App, "create_app", counted)
    tabs = [Tab(slug=slug, order=order, build=build) for order, slug in enumerate(("fill_mask", "prompting", "models"))]
    page = playground(tabs)
    assert made == [len(page.blocks)] and len(page.config["page"]) == len(tabs)


def test_gradio_is_imported_without_writing_into_its_own_folder() -> None:
    """In a process of its own: this one has imported it."""
    program = (
        "import sys; from app.ui.gradio_internals.quick_import import import_gradio; seen = set(); "
        "sys.setprofile(lambda frame, *_: seen.add(frame.f_code.co_name)); import_gradio(); sys.setprofile(None); "
        "print('create_or_modify_pyi' in seen, 'create_pyi' in seen)"
    )
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "False"], "it begins with it and finds no file"


def test_no_statistics_are_made_of_the_events(page: gr.Blocks, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(page._queue, "_get_df", lambda records: made.append(len(records)))
    before = page._queue.events_recorded
    ask(page, "emma")
    assert made == [] and page._queue.events_recorded == before + 1


def test_a_component_outside_of_a_page_is_a_change_as_in_an_event() -> None:
    """A value that a picker's choices lack is warned of where a component is made, not where one is changed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        changed = as_in_event(lambda: gr.Dropdown(value="b", visible=False))
    assert as_update(changed) == {"__type__": "update", "value": "b", "visible": False}
    assert as_update("text") == "text"
    with pytest.warns(UserWarning, match="not in the list"):
        gr.Dropdown(choices=["a"], value="b")


def test_what_is_chosen_before_a_sessions_choices_have_come_is_taken(page: gr.Blocks) -> None:
    """As a visitor sends it who clicks in the moment after the page is there."""

    def chosen(*values: object, call: str = "choose") -> dict:
        place = next(index for index, block in page.fns.items() if block.api_name == call)
        sent = {"data": list(values), "fn_index": place, "session_hash": "gina"}
        post(page, "queue/join", sent).raise_for_status()
        address = f"{page.local_url}gradio_api/queue/data?session_hash=gina"
        with httpx.stream("GET", address, timeout=30) as answer:
            line = next(line for line in answer.iter_lines() if "process_completed" in line)
        return json.loads(line.removeprefix("data: "))

    assert chosen("b", ["c"], "a")["output"]["data"] == ["('b', ['c'], 'a')"]
    assert not chosen("b", ["c"], "b")["success"], "what stands in the page is held to its choices"
    assert chosen(call="fill")["success"]
    assert chosen("b", [], "a")["success"] and not chosen("x", [], "a")["success"], "and so is what has come"


def test_files_that_visitors_sent_are_deleted(page: gr.Blocks, tmp_path: Path) -> None:
    block = next(iter(page.blocks.values()))
    sent = tmp_path / "sent.csv"
    sent.write_text(SECRET)
    block.temp_files = {str(sent)}
    page.temp_file_sets.append(block.temp_files)
    delete_files(page)
    assert not sent.exists()


def post(page: gr.Blocks, path: str, sent: dict) -> httpx.Response:
    return httpx.post(f"{page.local_url}gradio_api/{path}", json=sent)


def test_the_queue_is_the_fair_one(page: gr.Blocks) -> None:
    assert isinstance(page._queue, FairQueue) and page._queue.kinds == KINDS
    assert len(page._queue.active_jobs) == THREADS - KEPT_FREE


def test_a_full_queue_says_so_in_a_sentence_with_the_wait(page: gr.Blocks, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FairQueue, "__len__", lambda queue: 256)
    refused = post(page, "call/count", {"data": [SECRET, None]})
    assert refused.status_code == 429 and int(refused.headers["Retry-After"]) > 0
    assert refused.json()["detail"].endswith("(busy)") and "256" in refused.json()["detail"]


@pytest.mark.parametrize(("path", "sent"), [("call/nope", {}), ("queue/join", {"fn_index": 9999, "session_hash": "a"})])
def test_what_there_is_not_is_refused_in_a_sentence(page: gr.Blocks, path: str, sent: dict) -> None:
    refused = post(page, path, {"data": [], **sent})
    assert refused.status_code == 404 and refused.json()["detail"].endswith("(bad_value)")


def test_an_empty_session_is_none(page: gr.Blocks) -> None:
    taken = post(page, "call/count", {"data": ["a", None], "session_hash": ""})
    assert taken.status_code == 200 and taken.json()["event_id"]


def test_a_file_that_was_not_uploaded_is_refused_in_a_sentence(page: gr.Blocks, capfd: pytest.CaptureFixture) -> None:
    taken = post(page, "call/count", {"data": [{"path": "/etc/passwd", "meta": {"_type": "gradio.FileData"}}, None]})
    address = f"{page.local_url}gradio_api/call/count/{taken.json()['event_id']}"
    assert "(bad_value)" in httpx.get(address, timeout=30).text
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("sent", "taken"), [([None, None], "(1, None)"), ([99, -5], "(20, -5)"), ([-3, 2.4], "(1, 2)"), ([7, 8], "(7, 8)")]
)
def test_numbers_are_taken_as_their_fields_show_them(page: gr.Blocks, sent: list, taken: str) -> None:
    event = post(page, "call/numbers", {"data": sent}).json()["event_id"]
    assert taken in httpx.get(f"{page.local_url}gradio_api/call/numbers/{event}", timeout=30).text


def test_components_are_found_by_their_numbers() -> None:
    with gr.Blocks() as page:
        first, second = gr.Textbox(), gr.Button()
    assert page.blocks[number_of(first)] is first and page.blocks[number_of(second)] is second
