"""Each visit has its share of the queue: of places, of running questions, of turns. Independent of the clock."""

from __future__ import annotations

import asyncio
import errno
from types import SimpleNamespace

import gradio as gr
import pytest
from fastapi import HTTPException

from app.errors import PlaygroundError
from app.pace import LATELY_SECONDS, LONGEST_SECONDS, UNKNOWN_SECONDS, Pace
from app.settings import Settings
from app.ui.events import KINDS, LONG, TRAINING, WRITING, sentence
from app.ui.gradio_internals import queueing
from app.ui.gradio_internals.queueing import KEPT_FREE, FairQueue
from app.ui.serving import admission
from app.ui.serving.shares import RUNNING_PER_VISIT, Load, check_share
from app.ui.shell import THREADS
from app.ui.texts import LANGUAGES
from tests.asynchronous import run
from tests.conftest import SetSetting


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_the_expected_wait_is_how_long_it_took_lately() -> None:
    clock = Clock()
    pace = Pace(clock)
    assert pace.seconds(10) == UNKNOWN_SECONDS
    for _ in range(10):
        pace.answered()
        clock.now += 2
    assert pace.seconds(10) == 20
    assert pace.seconds(10**9) == LONGEST_SECONDS
    clock.now += LATELY_SECONDS + 1
    assert pace.seconds(10) == UNKNOWN_SECONDS, "an hour ago says nothing"


@pytest.mark.parametrize(
    ("load", "key"),
    [
        (Load(0, 16, 16), "busy.visit"),
        (Load(0, 3, 160), "busy.address"),
        (Load(256, 3, 40), "busy.queue"),
    ],
)
def test_who_has_had_a_full_share_is_told_how_long_it_takes(load: Load, key: str) -> None:
    with pytest.raises(PlaygroundError) as refused:
        check_share(load, Pace())
    assert refused.value.key == key
    for language in LANGUAGES:
        assert str(UNKNOWN_SECONDS) in sentence(refused.value, language)


def test_a_class_at_one_address_is_let_in() -> None:
    check_share(Load(waiting=80, of_visit=2, of_address=80), Pace())


def test_no_limit_where_the_host_wants_none(set_setting: SetSetting) -> None:
    set_setting(waiting_per_visit="0", waiting_per_address="0")
    check_share(Load(0, 10_000, 10_000), Pace())
    assert Settings.from_env({"SPACE_ID": "a/b"}).waiting_per_address == 0, "all come from the Hub's proxy"


def test_long_questions_leave_places_and_threads_to_the_others() -> None:
    long = sum(kind["concurrency_limit"] for kind in (WRITING, TRAINING, LONG))
    assert long < THREADS - KEPT_FREE


@pytest.fixture
def queue() -> FairQueue:
    """A queue of a page with three functions: of a moment, long, writing."""
    with gr.Blocks() as page:
        for kind in ({"concurrency_limit": 2}, LONG, WRITING):
            gr.Button().click(lambda: None, **kind)
    made = FairQueue(True, 100, 1, None, page, 32)
    made.kinds = KINDS
    made.active_jobs = []
    for fn in page.fns.values():
        made.create_event_queue_for_fn(fn)
    return made


def ask(queue: FairQueue, place: int, visit: str) -> queueing.Event:
    """A question of a visit waits; `place` says which function."""
    fn = list(queue.blocks.fns.values())[place]
    event = queueing.Event(visit, fn, SimpleNamespace(client=SimpleNamespace(host="here")), None)
    event.enqueue_time = ask.time = getattr(ask, "time", 0) + 1
    queue.event_queue_per_concurrency_id[event.concurrency_id].queue.append(event)
    queue.event_ids_to_events[event._id] = event
    queue._stuck = False
    return event


def begun(queue: FairQueue) -> list[str]:
    """Let begin whatever may: the visits in their order."""
    visits = []
    while (found := queue.get_events()) is not None:
        events, batch, concurrency_id = found
        assert not batch
        queue.active_jobs.append(events)
        queue.event_queue_per_concurrency_id[concurrency_id].current_concurrency += 1
        visits.append(events[0].session_hash)
    return visits


MOMENT, LONGER, WRITES = range(3)


def test_visits_take_turns(queue: FairQueue) -> None:
    for visit in ("anna", "anna", "anna", "ben", "ben", "carla"):
        ask(queue, WRITES, visit)
    assert begun(queue) == ["anna", "ben", "carla", "anna", "ben", "anna"]


def test_one_visit_runs_so_many_long_questions_and_no_more(queue: FairQueue) -> None:
    for _ in range(20):
        ask(queue, LONGER, "anna")
        ask(queue, WRITES, "anna")
    ask(queue, LONGER, "ben")
    assert sorted(begun(queue)) == ["anna"] * RUNNING_PER_VISIT + ["ben"]


def test_a_question_of_a_moment_passes_all_long_ones(queue: FairQueue) -> None:
    for number in range(200):
        ask(queue, (LONGER, WRITES)[number % 2], f"visit {number}")
    ask(queue, MOMENT, "zoe")
    order = begun(queue)
    assert "zoe" in order and len(order) == LONG["concurrency_limit"] + WRITING["concurrency_limit"] + 1
    ask(queue, MOMENT, "visit 0")
    assert begun(queue) == ["visit 0"], "also of a visit whose long ones run"


def test_what_nobody_comes_to_read_is_forgotten(queue: FairQueue) -> None:
    queue.pending_messages_per_session.max_size = 2
    running = ask(queue, MOMENT, "runs")
    queue.pending_event_ids_session = {"read": set(), "left": {"gone"}, "runs": {running._id}, "kept": set()}
    queue.pending_messages_per_session["kept"] = asyncio.Queue()
    queue._forget_finished()
    assert queue.pending_event_ids_session.keys() == {"runs", "kept"}


def test_the_refusal_is_in_the_language_of_the_page_and_in_english_for_programs() -> None:
    full = Load(256, 0, 0)

    def told(simple: bool, **request: object) -> HTTPException:
        asked = SimpleNamespace(query_params={}, headers={}, **request)
        asked.headers = {"accept-language": "zh-CN"}
        with pytest.raises(HTTPException) as refused:
            admission.admit(asked, simple, full, Pace())
        return refused.value

    page, program = told(False), told(True)
    assert page.status_code == program.status_code == 429
    assert page.headers["Retry-After"] == str(UNKNOWN_SECONDS)
    assert (
        "服务器" in page.detail
        and "busy" not in page.detail
        and program.detail.endswith("(busy)")
        and "server" in program.detail
    )


def test_a_full_disk_is_said_and_other_errors_are_left_alone() -> None:
    asked = SimpleNamespace(query_params={"lang": "en"}, headers={})
    told = admission.disk_full(asked, OSError(errno.ENOSPC, "No space left on device"))
    assert told.status_code == 507 and "disk" in told.body.decode()
    with pytest.raises(FileNotFoundError):
        admission.disk_full(asked, FileNotFoundError(errno.ENOENT, "x"))


def test_nobody_is_looked_for_until_somebody_comes_or_is_done(
    queue: FairQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(LONG["concurrency_limit"] + 1):
        ask(queue, LONGER, f"visit {number}")
    assert len(begun(queue)) == LONG["concurrency_limit"] and queue._stuck
    (fn,) = {event.fn for job in queue.active_jobs for event in job}
    queue.event_queue_per_concurrency_id[fn.concurrency_id].current_concurrency -= 1
    assert queue.get_events() is None

    async def done(*_: object) -> None:
        """What Gradio does with a question."""

    monkeypatch.setattr(queueing.Queue, "process_events", done)
    run(queue.process_events([], False, 0.0, fn))
    assert queue.get_events() is not None
