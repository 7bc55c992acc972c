"""A cookie that tells visits apart, so that what belongs to one survives the way from page to page.

It identifies nobody: a random word that ends with the browser's session. Without it (a program, a browser that keeps
none) each page is a visit of its own.
"""

from __future__ import annotations

import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.visits import COOKIE, key_in, visits

# Every open page holds such a request open, which names the page's session.
OPEN_PAGE = re.compile(r"/heartbeat/[^/]+/?$")


class VisitCookie:
    """ASGI middleware that gives the cookie to browsers, and sees when the last page of a visit is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        key = key_in(Headers(scope=scope).get("cookie", ""))
        if key and OPEN_PAGE.search(scope["path"]):
            visits().enter(key)
            try:
                await self.app(scope, receive, send)
            finally:
                visits().leave(key)
            return

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and not key:
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    headers.append("set-cookie", _cookie(scope))
            await send(message)

        await self.app(scope, receive, send_with_cookie)


def _cookie(scope: Scope) -> str:
    """A new one. Where another site shows the page in a frame, as the Hub does, only a cookie of this kind comes back;
    and only by https."""
    secure = "https" in (scope.get("scheme"), Headers(scope=scope).get("x-forwarded-proto", "").split(",")[0].strip())
    kind = "SameSite=None; Secure; Partitioned" if secure else "SameSite=Lax"
    return f"{COOKIE}={secrets.token_urlsafe(16)}; Path=/; HttpOnly; {kind}"
