"""How the server ends: what is new is refused, what runs may finish, what belongs to visits is deleted."""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.metrics import RUNNING, value_of
from app.ui.serving.trim import keep_trimmed

CLOSING = threading.Event()
# Docker kills what has not ended ten seconds after its SIGTERM.
SECONDS_TO_LOOK, SECONDS_TO_FINISH, SECONDS_TO_DELETE, SECONDS_TO_SEND = 0.2, 7.0, 2.0, 0.3
# A thread that still runs then hangs: the stack of each is printed, and the process ends with code 1.
SECONDS_AT_MOST = 20.0
REFUSAL = "This server is being stopped. Please try again in a minute. (busy)"


class RefuseWhenClosing:
    """ASGI middleware: once the server is to end, requests that would begin something are answered with 503."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if CLOSING.is_set() and scope["type"] == "http" and scope["method"] == "POST":
            await JSONResponse({"detail": REFUSAL}, 503, {"Retry-After": "60"})(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def wait_until_stopped(*cleaners: Callable[[], object]) -> None:
    """Serve until SIGTERM or Ctrl+C, then end the process in good order; a second signal ends it at once.

    Must be called from the main thread. Meanwhile memory that is free is given back.

    Args:
        cleaners: called at the end, one after the other; they have two seconds together.
    """
    stopped, asked = threading.Event(), []

    def stop(number: int, frame: object) -> None:
        if asked:
            os._exit(1)
        asked.append(number)
        faulthandler.dump_traceback_later(SECONDS_AT_MOST, exit=True)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    threading.Thread(target=keep_trimmed, args=[stopped], name="trim", daemon=True).start()
    # The system may hand the signal to any thread, and only this one calls `stop`, as soon as it runs: it may not wait
    # without end. Nor may it wait for the event, whose lock `stop` would want, too.
    while not asked:
        time.sleep(SECONDS_TO_LOOK)
    stopped.set()
    _finish()
    _clean(cleaners)
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads that load or train would be torn down in the middle of native code, which aborts the process.
    os._exit(0)


def _finish() -> None:
    CLOSING.set()
    until = time.monotonic() + SECONDS_TO_FINISH
    running = value_of(RUNNING) > 0
    while value_of(RUNNING) > 0 and time.monotonic() < until:
        time.sleep(0.05)
    if running:
        time.sleep(SECONDS_TO_SEND)


def _clean(cleaners: Sequence[Callable[[], object]]) -> None:
    def clean() -> None:
        for cleaner in cleaners:
            cleaner()

    cleaning = threading.Thread(target=clean, daemon=True)
    cleaning.start()
    cleaning.join(SECONDS_TO_DELETE)
