"""Every private part of Gradio that is used here, so that the next upgrade has one file to look at.

`tests/ui/test_gradio_internals.py` has a test for each against a running server.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextvars import copy_context
from copy import copy
from typing import Any

import gradio as gr
from gradio import state_holder
from gradio.components.plot import PlotData
from gradio.context import LocalContext
from gradio.route_utils import delete_files_created_by_app

SECONDS_AFTER_CLOSING = 60


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


def keep_no_statistics(page: gr.Blocks) -> None:
    """No table of all events so far is made anew after each; Gradio's own monitoring, which is off, would show it.

    It grows to 10,000 events; at a few hundred it took a sixth of what a request costs besides the model.
    """
    page._queue.ANAYLTICS_CACHE_FREQUENCY = math.inf  # in Gradio's spelling: events between two tables


def forget_session(page: gr.Blocks, session_hash: str) -> None:
    """Drop a session's states; Gradio would keep them for an hour after its page was closed."""
    holder = page.state_holder
    with holder.lock:
        holder.session_data.pop(session_hash, None)
        holder.time_last_used.pop(session_hash, None)


def delete_files(page: gr.Blocks) -> None:
    """Delete what visitors sent and were given, as Gradio does where its server is closed step by step."""
    delete_files_created_by_app(page, age=None)


def as_in_event(work: Callable[[], Any]) -> Any:
    """Do what makes components outside of a page as an event does it: as changes, without checks that fit no change."""

    def done() -> Any:
        LocalContext.in_event_listener.set(True)
        return work()

    return copy_context().run(done)


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
