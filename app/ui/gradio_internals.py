"""Every private part of Gradio that is used here, so that the next upgrade has one file to look at.

`tests/ui/test_gradio_internals.py` has a test for each against a running server.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from contextvars import copy_context
from copy import copy
from types import SimpleNamespace
from typing import Any, ClassVar

import gradio as gr
from anyio import to_thread
from fastapi import Request
from gradio import queueing, state_holder
from gradio.components.plot import PlotData
from gradio.context import LocalContext
from gradio.data_classes import PredictBodyInternal
from gradio.exceptions import InvalidPathError
from gradio.queueing import Event, Queue
from gradio.route_utils import FnIndexInferError, delete_files_created_by_app
from gradio.utils import is_prop_update

from app.ui.serving.shares import RUNNING_PER_VISIT, Load, Pace

SECONDS_AFTER_CLOSING = 60
# Properties of components by the components' ids.
Props = dict[int, dict[str, Any]]
# Threads that no question in the queue may take: what goes past it, as opening the page does, never waits for them.
KEPT_FREE = 16


def client_waits() -> Callable[[], bool]:
    """A question for a handler that takes long: is the client of this request still there, and was it not cancelled?

    Gradio cannot end a thread: when a call is cancelled or its client goes, the queue only strikes the event off.
    """
    page, event_id = LocalContext.blocks.get(None), LocalContext.event_id.get(None)
    queue = page._queue if page is not None else None
    event = queue.event_ids_to_events.get(event_id) if queue is not None else None

    def waits() -> bool:
        if event is None:
            return True
        return event.alive and event._id in queue.pending_event_ids_session.get(event.session_hash, ())

    return waits


class LightSession(state_holder.SessionState):
    """A session without a copy of the whole page's configuration.

    Gradio writes one for each new session, 200 ms and 1 MB for this page; only its own deep links read it, and this
    page has links of its own.
    """

    def __init__(self, blocks: gr.Blocks) -> None:
        self.blocks_config = copy(blocks.default_config)
        self.config_values: dict[int, Any] = {}
        self.state_data: dict[int, Any] = {}
        self._state_ttl: dict[int, Any] = {}
        self.is_closed = False
        self.STATE_TTL_WHEN_CLOSED = SECONDS_AFTER_CLOSING

    def __setitem__(self, key: int, value: Any) -> None:
        super().__setitem__(key, value)
        self.config_values.clear()

    def _update_config(self, key: int) -> None:
        """Nothing: what a visitor sent or was shown is not kept for deep links."""

    def _update_value_in_config(self, key: int, value: Any) -> None:
        """Nothing, as above."""


def use_light_sessions() -> None:
    """Let Gradio make such sessions from now on."""
    state_holder.SessionState = LightSession


class FairQueue(Queue):
    """A queue in which each visit has a share: of the places, of what runs, and of the next turn.

    Gradio takes the oldest event of a function chosen by chance, and tells nobody but with a status that it is full.
    """

    kinds: ClassVar[frozenset[str]] = frozenset()

    @staticmethod
    def admit(request: Request, program: bool, load: Load, pace: Pace) -> None:
        """Raise FastAPI's error for who may not ask now; set by `use_fair_queue`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.pace = Pace()
        self._stuck = False  # nobody may begin until somebody comes or is done: Gradio looks every millisecond

    def start(self) -> None:
        """With fewer places than there are threads."""
        self.max_thread_count = max(1, self.max_thread_count - KEPT_FREE)
        super().start()

    async def push(self, body: PredictBodyInternal, request: Request, username: str | None) -> Any:
        """Take a question in, if its visit and its address may ask.

        Gradio trips over an empty session, and over a function that there is not.
        """
        self._forget_finished()
        body.session_hash = body.session_hash or None
        if body.fn_index not in self.blocks.fns:
            raise FnIndexInferError
        visit, address = body.session_hash, _address(request)
        events = list(self.event_ids_to_events.values())
        load = Load(
            waiting=len(self),
            of_visit=sum(event.session_hash == visit for event in events),
            of_address=sum(_address(event.request) == address for event in events),
        )
        self.admit(request, body.simple_format, load, self.pace)
        taken = await super().push(body, request, username)
        self._stuck = False
        return taken

    def get_events(self) -> tuple[list[Event], bool, str] | None:
        """The next question: of those with a free place, one of the visit that has the fewest running; the oldest.

        No function of this page takes questions in batches, which the models do for themselves.
        """
        if self._stuck:
            return None
        queues = self.event_queue_per_concurrency_id.values()
        worked_on = [event for job in self.active_jobs if job for event in job]
        running = Counter(event.session_hash for event in worked_on)
        long = Counter(event.session_hash for event in worked_on if event.concurrency_id in self.kinds)
        ready = [
            event
            for queue in queues
            if queue.concurrency_limit is None or queue.current_concurrency < queue.concurrency_limit
            for event in queue.queue
            if long[event.session_hash] < RUNNING_PER_VISIT or event.concurrency_id not in self.kinds
        ]
        if not ready:
            self._stuck = True
            return None
        event = min(ready, key=lambda one: (running[one.session_hash], one.enqueue_time))
        self.event_queue_per_concurrency_id[event.concurrency_id].queue.remove(event)
        return [event], False, event.concurrency_id

    async def process_events(self, *arguments: Any, **named: Any) -> None:
        """Work on a question, and note when it was done."""
        try:
            await super().process_events(*arguments, **named)
        finally:
            self._stuck = False
            self.pace.answered()

    def _forget_finished(self) -> None:
        """Gradio keeps a set for each session that ever asked, empty or of what nobody came to read."""
        pending, readable = self.pending_event_ids_session, self.pending_messages_per_session
        if len(pending) > readable.max_size:
            for session, ids in list(pending.items()):
                if session not in readable and self.event_ids_to_events.keys().isdisjoint(ids):
                    del pending[session]


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else ""


# What a call of something that there is not ends with, to be answered as one likes.
NO_SUCH_CALL: type[Exception] = FnIndexInferError
# The same of a file that nobody sent here.
NO_SUCH_FILE: type[Exception] = InvalidPathError


def use_fair_queue(kinds: frozenset[str], admit: Callable[[Request, bool, Load, Pace], None]) -> None:
    """Let Gradio make such queues from now on.

    Args:
        kinds: of questions that take long, by their `concurrency_id`: of these only so many of a visit run together.
        admit: raises FastAPI's error for who may not ask now.
    """
    FairQueue.kinds, FairQueue.admit = kinds, staticmethod(admit)
    queueing.Queue = FairQueue


def keep_no_statistics(page: gr.Blocks) -> None:
    """No table of all events so far is made anew after each; Gradio's own monitoring, which is off, would show it.

    It grows to 10,000 events, which are listed with each; at a few hundred the table took a sixth of what a request
    costs besides the model.
    """
    page._queue.ANAYLTICS_CACHE_FREQUENCY = math.inf  # in Gradio's spelling: events between two tables
    page._queue.ANALYTICS_MAX_EVENTS = 1


def take_choices_that_come_later(page: gr.Blocks) -> None:
    """Let what is drawn without choices take any until a session's own have come, a moment after its page is there.

    Gradio refuses a value that is not among the choices it knows; a visitor who is quicker would be told that the model
    shown to him does not exist. What is chosen is checked where it is used, as it is for calls from programs.
    """
    for block in page.blocks.values():
        if isinstance(block, gr.Dropdown | gr.Radio | gr.CheckboxGroup) and not block.choices:
            block.preprocess = lambda payload: payload


def take_numbers_as_shown() -> None:
    """Let Gradio take from now on what a number's field shows, of every page.

    It refuses in English what is out of range, and fails at a slider's field that was cleared; the slider itself stands
    at its least then, and else at the nearest. What is typed without a slider is checked where it is used.
    """
    gr.Slider.preprocess = _slid
    gr.Number.preprocess = _typed


def _slid(slider: gr.Slider, payload: float | None) -> float:
    return min(max(slider.minimum if payload is None else payload, slider.minimum), slider.maximum)


def _typed(field: gr.Number, payload: float | None) -> float | None:
    return None if payload is None else field.round_to_precision(payload, field.precision)


def forget_session(page: gr.Blocks, session_hash: str) -> None:
    """Drop a session's states; Gradio would keep them for an hour after its page was closed."""
    holder = page.state_holder
    with holder.lock:
        holder.session_data.pop(session_hash, None)
        holder.time_last_used.pop(session_hash, None)
    page._queue.pending_messages_per_session.pop(session_hash, None)


def delete_files(page: gr.Blocks) -> None:
    """Delete what visitors sent and were given, as Gradio does where its server is closed step by step."""
    delete_files_created_by_app(page, age=None)


def as_in_event(work: Callable[[], Any]) -> Any:
    """Do what makes components outside of a page as an event does it: as changes, without checks that fit no change."""

    def done() -> Any:
        LocalContext.in_event_listener.set(True)
        return work()

    return copy_context().run(done)


async def as_props(page: gr.Blocks, work: Callable[[], tuple[Sequence[gr.blocks.Block], Sequence[Any]]]) -> Props:
    """What a handler returns, as properties with which components can stand in a page from the start, by their ids.

    What the handler would tell the visitor beside it (`gr.Warning`) is said nowhere: nobody listens yet.

    Args:
        page: whose components they are.
        work: gives the components and the values for them.
    """

    def done() -> tuple[Sequence[gr.blocks.Block], Sequence[Any]]:
        LocalContext.blocks.set(page)
        LocalContext.event_id.set("")
        return as_in_event(work)

    components, values = await to_thread.run_sync(copy_context().run, done)
    pairs = [(one, value) for one, value in zip(components, values, strict=True) if value != gr.skip()]
    shown, values = [one for one, _ in pairs], [value for _, value in pairs]
    event = SimpleNamespace(outputs=shown, name="", postprocess=True, batch=False, is_validator_function=False)
    said = await page.postprocess_data(event, values[0] if len(values) == 1 else values, LightSession(page))
    return {
        component._id: _without_marks(value) if is_prop_update(value) else {"value": value}
        for component, value in zip(shown, said, strict=True)
        if not component.stateful
    }


def _without_marks(change: dict[str, Any]) -> dict[str, Any]:
    """A change of properties without what says that it is one; of HTML that mark comes among the `props` as well."""
    marks = ("__type__", {"__type__": "update"})
    return {key: value for key, value in change.items() if key not in marks and value not in marks[1:]}


def as_update(value: Any) -> Any:
    """What a handler returned, as plain data: a component stands for a change of its properties."""
    if isinstance(value, PlotData):
        return value.model_dump()
    if not isinstance(value, gr.blocks.Block):
        return value
    return {"__type__": "update", **{key: as_update(one) for key, one in value.constructor_args.items()}}


def from_update(output: gr.blocks.Block, value: Any) -> Any:
    """The same as a handler would return it: a plot takes its own kind of value."""
    if isinstance(output, gr.Plot) and isinstance(value, dict) and isinstance(value.get("value"), dict):
        return {**value, "value": PlotData(**value["value"])}
    return value
