"""Reads what a page sends as JSON to an address of its own, and whose visit it is."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from app.visits import key_in


async def sent(request: Request, most: int) -> dict[str, Any]:
    """What a page sent; empty where it is no JSON object, or more than `most` bytes.

    Only a page of this server can send that kind: a browser asks before it sends it elsewhere.
    """
    if "json" not in request.headers.get("content-type", ""):
        return {}
    body = b""
    try:
        async for part in request.stream():
            body += part
            if len(body) > most:
                return {}
        told = json.loads(body)
        json.dumps(told, ensure_ascii=False).encode()  # lone surrogates have no bytes
    except (ClientDisconnect, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def posted(
    most: int,
) -> Callable[[Callable[[Request, dict[str, Any]], Response]], Callable[[Request], Awaitable[Response]]]:
    """A handler is given what a page sent (see `sent`), and answers in a thread: it may wait for others."""

    def decorated(handler: Callable[[Request, dict[str, Any]], Response]) -> Callable[[Request], Awaitable[Response]]:
        @wraps(handler)
        async def answer(request: Request) -> Response:
            return await run_in_threadpool(handler, request, await sent(request, most))

        return answer

    return decorated


def visit_of(request: Request) -> str:
    """Key of the visit that asks; empty for a browser that keeps no cookies."""
    return key_in(request.headers.get("cookie", ""))
