"""Headers that keep the page to this server: no foreign script, frame, font or address to send anything to."""

from __future__ import annotations

import os
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.settings import settings

# Gradio's own scripts are inline and built from strings, so inline scripts and eval must be allowed.
# The exports of plots and the BertViz page are blobs and documents of the page itself.
RULES = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "media-src": "'self' data: blob:",
    "connect-src": "'self' data: blob:",
    "worker-src": "'self' blob:",
    "frame-src": "'self' data: blob:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
# A Space is shown in a frame of the Hub's page.
SPACE_FRAMES = "https://huggingface.co https://*.hf.space"


def policy(frames: str, environment: Mapping[str, str] = os.environ) -> str:
    """The Content-Security-Policy.

    Args:
        frames: addresses, with spaces, of pages that may show this one in a frame; besides this server's own.
        environment: a Space has `SPACE_ID` in it.
    """
    allowed = " ".join(filter(None, ("'self'", frames, SPACE_FRAMES if environment.get("SPACE_ID") else "")))
    return "; ".join(f"{name} {value}" for name, value in {**RULES, "frame-ancestors": allowed}.items())


class SecurityHeaders:
    """ASGI middleware that adds the headers to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": policy(settings().frames),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, send_with_headers)
