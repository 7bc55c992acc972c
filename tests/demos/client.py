"""Calls an endpoint of the running app as `curl` would."""

from __future__ import annotations

import json
import urllib.request
from typing import Any


def call(server: str, name: str, *arguments: object) -> Any:
    """The endpoint's answer, or the error that it gave."""
    body = json.dumps({"data": list(arguments)}).encode()
    start = urllib.request.Request(f"{server}/gradio_api/call/{name}", body, {"Content-Type": "application/json"})
    event = json.load(urllib.request.urlopen(start))["event_id"]
    stream = urllib.request.urlopen(f"{server}/gradio_api/call/{name}/{event}").read().decode()
    kind, _, data = stream.strip().split("\n\n")[-1].partition("\n")  # a busy machine sends heartbeats before it
    answer = json.loads(data.split("data: ", 1)[1])
    return answer[0] if kind == "event: complete" else answer
