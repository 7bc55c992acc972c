"""A visitor's page without a browser: it keeps the values of its fields, presses buttons and reads the answers."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from typing import Any

import httpx

from tests.load.served import API, Served


class Page:
    """One visit: opened, asked, closed.

    Args:
        app: the running app.
        client: the visitor's; nobody else's calls go through it.
    """

    def __init__(self, app: Served, client: httpx.Client) -> None:
        self.app, self.client, self.session = app, client, secrets.token_hex(6)
        config = app.config
        self._events: list[dict[str, Any]] = config["dependencies"]
        self._place = {one["props"].get("elem_id"): one["id"] for one in config["components"]}
        self._values = {one["id"]: one["props"].get("value") for one in config["components"]}

    def open(self) -> None:
        """What a browser asks when the page is opened.

        Raises:
            httpx.HTTPStatusError: something of it was not answered.
        """
        self.client.get("/").raise_for_status()
        for event in self._events:
            if event["backend_fn"] and any(kind == "load" for _, kind in event["targets"]):
                asked = self.client.post(f"{API}/run/predict", json=self._sent(event)).raise_for_status()
                self._show(event, asked.json()["data"])

    def has(self, elem_id: str) -> bool:
        """Is there such a part of the page?"""
        return elem_id in self._place

    def fill(self, elem_id: str, value: object) -> None:
        """Write into a field."""
        self._values[self._place[elem_id]] = value

    def shown(self, elem_id: str) -> object:
        """What stands there."""
        return self._values[self._place[elem_id]]

    def press(self, elem_id: str, go_on: Callable[[], bool] = lambda: True) -> str:
        """Press a button and wait until all is there: what the visitor is told when it is refused, else nothing.

        Args:
            elem_id: of the button.
            go_on: asked with each piece of a growing answer; on False the visitor stops reading, and is gone.
        """
        pressed = [self._place[elem_id], "click"]
        event = next(event for event in self._events if event["backend_fn"] and pressed in event["targets"])
        taken = self.client.post(f"{API}/queue/join", json=self._sent(event))
        if taken.status_code != 200:
            return str(taken.json().get("detail"))
        with self.client.stream("GET", f"{API}/queue/data", params={"session_hash": self.session}) as stream:
            for line in stream.iter_lines():
                message = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
                if message.get("msg") == "process_completed":
                    if not message["success"]:
                        return str(message["output"].get("error"))
                    self._show(event, message["output"]["data"])
                    return ""
                if message.get("msg") == "process_generating" and not go_on():
                    return ""
                if message.get("msg") == "unexpected_error":
                    return str(message.get("message"))
        return "the stream ended without an answer"

    def close(self) -> None:
        """Leave as a browser leaves: its connection for signs of life ends."""
        with self.client.stream("GET", f"{API}/heartbeat/{self.session}") as heartbeat:
            next(heartbeat.iter_lines())

    def _sent(self, event: dict[str, Any]) -> dict[str, Any]:
        values = [self._values[place] for place in event["inputs"]]
        return {"data": values, "fn_index": event["id"], "session_hash": self.session, "trigger_id": None}

    def _show(self, event: dict[str, Any], data: list[Any]) -> None:
        for place, value in zip(event["outputs"], data, strict=False):
            if not isinstance(value, dict) or value.get("__type__") != "update":
                self._values[place] = value
            elif "value" in value:
                self._values[place] = value["value"]
