"""Reads what a page sends as JSON to an address of its own, and where phones find that page."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import ClientDisconnect, Request

from app.ui.address import address_in_network


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


def phones_address(at: str, way: str) -> tuple[str, str]:
    """The address that phones open, and one in the network where that is for this machine alone.

    Args:
        at: the page's own address, as it says itself.
        way: the path below it.

    Returns:
        Both empty where the page has no address.
    """
    try:
        page = urlsplit(at)
        port = page.port
    except ValueError:
        return "", ""
    if not page.netloc:
        return "", ""
    here_only = page.hostname in ("localhost", "127.0.0.1", "::1")
    address = f"{page.scheme}://{page.netloc}{page.path.rstrip('/')}/{way}"
    return address, address_in_network(port) if here_only else ""
