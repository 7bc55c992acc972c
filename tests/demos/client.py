"""Uses the tabs as a visitor does: calls their handlers with a request, and the running app's endpoints like `curl`."""

from __future__ import annotations

import json
import urllib.request
from types import SimpleNamespace
from typing import Any

import gradio as gr


def request(session: str | None = None, **query: str) -> gr.Request:
    """A visitor's request with this query string."""
    return gr.Request(query_params={"lang": "en", **query}, headers={}, session_hash=session)


def clicked(at: int) -> SimpleNamespace:
    """A click on the example in this place, as the page tells of it."""
    return SimpleNamespace(at=at)


def call(server: str, name: str, *arguments: object) -> Any:
    """The endpoint's answer, or the error that it gave."""
    body = json.dumps({"data": list(arguments)}).encode()
    start = urllib.request.Request(f"{server}/gradio_api/call/{name}", body, {"Content-Type": "application/json"})
    event = json.load(urllib.request.urlopen(start))["event_id"]
    stream = urllib.request.urlopen(f"{server}/gradio_api/call/{name}/{event}").read().decode()
    kind, _, data = stream.strip().split("\n\n")[-1].partition("\n")  # a busy machine sends heartbeats before it
    answer = json.loads(data.split("data: ", 1)[1])
    return answer[0] if kind == "event: complete" else answer
