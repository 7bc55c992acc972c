"""What a session holds, and how it ends."""

from __future__ import annotations

from copy import copy
from typing import Any

import gradio as gr
from gradio import state_holder
from gradio.route_utils import delete_files_created_by_app

SECONDS_AFTER_CLOSING = 60


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
