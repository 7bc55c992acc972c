"""The queue: whose turn it is, how much waits, and whether a client is still there."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import gradio as gr
from fastapi import Request
from gradio import queueing
from gradio.context import LocalContext
from gradio.data_classes import PredictBodyInternal
from gradio.exceptions import InvalidPathError
from gradio.queueing import Event, Queue
from gradio.route_utils import FnIndexInferError

from app.pace import Pace
from app.ui.serving.shares import RUNNING_PER_VISIT, Load

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


class FairQueue(Queue):
    """A queue in which each visit has a share: of the places, of what runs, and of the next turn.

    Gradio takes the oldest event of a function chosen by chance, and reports only by a status that it is full.
    """

    kinds: ClassVar[frozenset[str]] = frozenset()

    @staticmethod
    def admit(request: Request, program: bool, load: Load, pace: Pace) -> None:
        """Raise FastAPI's error for a request that is not admitted; set by `use_fair_queue`."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.pace = Pace()
        self._stuck = False  # nothing can begin before an event arrives or ends: Gradio looks every millisecond

    def start(self) -> None:
        """With fewer places than there are threads."""
        self.max_thread_count = max(1, self.max_thread_count - KEPT_FREE)
        super().start()

    async def push(self, body: PredictBodyInternal, request: Request, username: str | None) -> Any:
        """Take a question in, if its visit and its address may ask.

        Gradio trips over an empty session, and over a function that there is not.
        """
        self._forget_finished()
        self._keep_asked()
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

    def _keep_asked(self) -> None:
        """Gradio drops the oldest of its sessions, be it one whose training still runs; of others there is no need."""
        readable = self.pending_messages_per_session
        if len(readable) >= readable.max_size:
            for event in self.event_ids_to_events.values():
                if event.session_hash in readable:
                    readable.move_to_end(event.session_hash)

    def _forget_finished(self) -> None:
        """Gradio keeps a set for each session that ever asked, empty or with what was never read."""
        pending, readable = self.pending_event_ids_session, self.pending_messages_per_session
        if len(pending) > readable.max_size:
            for session, ids in list(pending.items()):
                if session not in readable and self.event_ids_to_events.keys().isdisjoint(ids):
                    del pending[session]


def _address(request: Request) -> str:
    return request.client.host if request.client is not None else ""


# What a call of something that there is not ends with, to be answered as one likes.
NO_SUCH_CALL: type[Exception] = FnIndexInferError
# The same of a file that was never uploaded.
NO_SUCH_FILE: type[Exception] = InvalidPathError


def use_fair_queue(kinds: frozenset[str], admit: Callable[[Request, bool, Load, Pace], None]) -> None:
    """Let Gradio make such queues from now on.

    Args:
        kinds: of long questions, by their `concurrency_id`: of these only a few of a visit run together.
        admit: raises FastAPI's error for a request that is not admitted.
    """
    FairQueue.kinds, FairQueue.admit = kinds, staticmethod(admit)
    queueing.Queue = FairQueue


def keep_no_statistics(page: gr.Blocks) -> None:
    """No table of all events so far is rebuilt after each; Gradio's own monitoring, which is off, would show it.

    It grows to 10,000 events, which are listed with each; at a few hundred the table took a sixth of what a request
    costs besides the model.
    """
    page._queue.ANAYLTICS_CACHE_FREQUENCY = math.inf  # in Gradio's spelling: events between two tables
    page._queue.ANALYTICS_MAX_EVENTS = 1
