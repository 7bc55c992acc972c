"""The app in its own process, asked over raw HTTP like a browser does, and observed from outside."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx

from tests.running_app import start_app, wait_for_answer

API = "/gradio_api"
# The codes of the contract, as they stand at the end of a refusal.
CODES = (
    "empty_text", "no_mask", "too_long", "unknown_model", "wrong_model", "missing_head", "word_not_found", "bad_value",
    "model_unavailable", "busy",
)  # fmt: skip
REFUSED = re.compile(rf"\S.*[.!?:;…\w”\])] \(({'|'.join(CODES)})\)", re.DOTALL)
SECONDS_TO_END = 10.0


@dataclass(frozen=True)
class Answer:
    """How a call ended: with `data`, or with what the caller is told.

    Attributes:
        status: of HTTP, of the call or, where that was taken, of its stream.
        data: what the endpoint answered; None otherwise.
        told: the sentence of a refusal, or whatever came in its place; empty for an answer.
    """

    status: int
    data: Any = None
    told: str = ""

    @property
    def code(self) -> str:
        """Of a refusal in the contract's shape: one sentence and its code; empty for anything else."""
        found = REFUSED.fullmatch(self.told)
        return found.group(1) if found else ""

    @property
    def fair(self) -> bool:
        """An answer, or a refusal as the contract has it."""
        return not self.told or bool(self.code)


def read_refusal(status: int, body: bytes) -> Answer:
    """What stands in the answer to a call that was not taken."""
    try:
        detail = json.loads(body).get("detail")
    except (ValueError, AttributeError):
        detail = None
    return Answer(status, told=detail if isinstance(detail, str) and detail else f"HTTP {status} {body[:300]!r}")


def read_event(lines: Iterator[str], seconds: float) -> Answer:
    """The last event of a call's stream, which must end by then: a sign of life is no answer."""
    event, data, until = "", "", time.monotonic() + seconds
    for line in lines:
        if time.monotonic() > until:
            return Answer(200, told=f"no end after {seconds:.0f} s")
        if line.startswith("event: "):
            event = line.removeprefix("event: ")
        elif line.startswith("data: ") and event in ("complete", "error"):
            data = line.removeprefix("data: ")
    try:
        said = json.loads(data)
    except ValueError:
        return Answer(200, told=f"the stream ended with {event!r} {data[:300]!r}")
    if event == "complete":
        return Answer(200, data=said[0])
    sentence = said.get("error") if isinstance(said, dict) else said
    return Answer(200, told=sentence if isinstance(sentence, str) and sentence else f"an error without words: {said!r}")


class Served:
    """A running app.

    Args:
        url: its address.
        process: None where somebody else started it.
        log: what it prints goes there.
    """

    def __init__(self, url: str, process: subprocess.Popen | None = None, log: Path | None = None) -> None:
        self.url, self.process, self.log = url, process, log

    def client(self, seconds: float = 120.0) -> httpx.Client:
        """A client of its own; nothing is sent through a proxy.

        Each request has its own connection: the server may close one that waits in the moment it is used again.
        """
        fresh = httpx.Limits(max_keepalive_connections=0)
        return httpx.Client(base_url=self.url, timeout=seconds, trust_env=False, limits=fresh)

    def call(self, client: httpx.Client, endpoint: str, arguments: list[Any], session: str = "") -> Answer:
        """Ask an endpoint and wait for the end of its stream."""
        sent = {"data": arguments, **({"session_hash": session} if session else {})}
        return self.send(client, endpoint, json.dumps(sent).encode())

    def send(self, client: httpx.Client, endpoint: str, body: bytes) -> Answer:
        """The same with a body as it is."""
        path = f"{API}/call/{endpoint}"
        taken = client.post(path, content=body, headers={"Content-Type": "application/json"})
        if taken.status_code != 200:
            return read_refusal(taken.status_code, taken.content)
        with client.stream("GET", f"{path}/{taken.json()['event_id']}") as stream:
            if stream.status_code != 200:
                return read_refusal(stream.status_code, stream.read())
            return read_event(stream.iter_lines(), client.timeout.read or 120.0)

    @cached_property
    def config(self) -> Mapping[str, Any]:
        """The page's parts and events, which its HTML has, too."""
        return httpx.get(f"{self.url}/config", trust_env=False, timeout=60).raise_for_status().json()

    def health(self) -> Mapping[str, Any]:
        """What `/healthz` says."""
        return httpx.get(f"{self.url}/healthz", trust_env=False, timeout=60).json()

    def status(self, field: str) -> int:
        """A number of the process from the system: `VmRSS` (kB), `Threads`, `FDSize`."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{field}:"))

    @property
    def megabytes(self) -> float:
        """Resident memory."""
        return self.status("VmRSS") / 1024

    def said(self) -> str:
        """What it printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log is not None else ""

    def end(self, number: int = signal.SIGTERM, seconds: float = 3 * SECONDS_TO_END) -> int:
        """Send a signal and wait for the end: the exit code."""
        self.process.send_signal(number)
        return self.process.wait(seconds)


@contextmanager
def served(log: Path, models: Path | None = None, ready: bool = True, **environment: str) -> Iterator[Served]:
    """The app, with the bundled models unless told otherwise, ended at the end of the block.

    Args:
        log: file for what it prints.
        models: a folder whose checkpoints stand in place of the bundled ones.
        ready: wait until the first answers of its page are made.
        environment: further variables.
    """
    with log.open("ab") as printed:
        process, url = start_app(models, printed=printed, **environment)
    try:
        wait_for_answer(url, process)
        app = Served(url, process, log)
        while ready and not app.health()["ready"]:
            time.sleep(0.2)
        yield app
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(3 * SECONDS_TO_END)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def bundled_environment() -> dict[str, str]:
    """Variables for a server with the bundled checkpoints alone."""
    return {"PLAYGROUND_WARM": "1", "PLAYGROUND_MODELS": "", "PLAYGROUND_PACKS": "0"}
