"""Faults of clients: they connect and send nothing, stop half-way, or do not read their answer."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack

from tests.load.fault_bench import LONG_TEXT, Bench, fault, must_answer
from tests.load.served import API, Served

IDLE_CONNECTIONS, SLOW_CLIENTS = 1_000, 50
# Room in a pipe and two sockets: a server that waits for a client to read must be kept waiting.
SMALL_BUFFER = 4_096


def _connect(app: Served) -> socket.socket:
    host, port = app.url.removeprefix("http://").split(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
    made.connect((host, int(port)))
    return made


def hold_idle(app: Served, count: int) -> None:
    """So many connect and say nothing; others are answered."""
    with ExitStack() as held:
        for _ in range(count):
            held.enter_context(_connect(app))
        must_answer(app)
        with app.client() as client:
            client.get("/").raise_for_status()


def hold_half(app: Served, count: int) -> None:
    """So many begin a request and do not go on; others are answered."""
    line = f"POST {API}/call/fill_mask HTTP/1.1"
    head = "\r\n".join([line, "Host: here", "Content-Type: application/json", "Content-Length: 90", ""])
    with ExitStack() as held:
        for number in range(count):
            made = held.enter_context(_connect(app))
            made.sendall((head + "\r\n{" if number % 2 else head).encode())
        must_answer(app)


def hold_unread(app: Served, count: int) -> None:
    """So many ask for much and read nothing of it; others are answered, and nothing is left of them when they go."""
    with ExitStack() as held, app.client() as client:
        for number in range(count):
            name, arguments = ("generate", LONG_TEXT) if number % 2 else ("models", [""])
            asked = {"data": arguments, "session_hash": f"never{number}"}
            taken = client.post(f"{API}/call/{name}", json=asked).raise_for_status()
            path = f"{API}/call/{name}/{taken.json()['event_id']}"
            for wanted in (path, "/"):
                made = held.enter_context(_connect(app))
                made.sendall(f"GET {wanted} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
        must_answer(app)
    while app.health()["running"]:
        time.sleep(0.1)
    must_answer(app)


@fault
def idle_connections(bench: Bench) -> None:
    """A thousand clients connect and say nothing."""
    with bench.app() as app:
        hold_idle(app, IDLE_CONNECTIONS)
        assert app.end() == 0


@fault
def slow_clients(bench: Bench) -> None:
    """Fifty begin a request and do not go on."""
    with bench.app() as app:
        hold_half(app, SLOW_CLIENTS)
        assert app.end() == 0


@fault
def clients_that_never_read(bench: Bench) -> None:
    """Fifty ask for much and read nothing of it."""
    with bench.app() as app:
        hold_unread(app, SLOW_CLIENTS)
        assert app.end() == 0
