"""The script that makes `?lang=` count: put into pages of known languages, and into nothing else."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from app.ui.language_script import LanguageScript


def fetch(query: bytes, kind: bytes = b"text/html; charset=utf-8") -> tuple[dict[bytes, bytes], bytes]:
    """Headers and body of a small page behind the middleware."""

    async def page(scope, receive, send) -> None:
        body = b"<html><head><title>x</title></head></html>"
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:10], "more_body": True})
        await send({"type": "http.response.body", "body": body[10:]})

    sent: list[dict] = []

    async def send(message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": query}
    with ThreadPoolExecutor(1) as thread:  # the browser tests have a loop running in this one
        thread.submit(asyncio.run, LanguageScript(page)(scope, None, send)).result()
    return dict(sent[0]["headers"]), b"".join(message.get("body", b"") for message in sent[1:])


def test_a_known_language_is_told_to_the_page() -> None:
    headers, body = fetch(b"tab=fill_mask&lang=zh-CN")
    assert b'() => "zh-CN"' in body and body.index(b"<script>") < body.index(b"<title>")
    assert int(headers[b"content-length"]) == len(body)


def test_anything_else_goes_through_as_it_is() -> None:
    for query in (b"", b"lang=xx", b'lang="><script>', b"lang="):
        _, body = fetch(query)
        assert b"<script>" not in body
    _, body = fetch(b"lang=zh-CN", b"application/json")
    assert b"<script>" not in body
