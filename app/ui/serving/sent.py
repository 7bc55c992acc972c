"""Reads what a page sends as JSON to an address of its own, and whose visit it is."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import ClientDisconnect, Request

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


def visit_of(request: Request) -> str:
    """Key of the visit that asks; empty for a browser that keeps no cookies."""
    return key_in(request.headers.get("cookie", ""))
