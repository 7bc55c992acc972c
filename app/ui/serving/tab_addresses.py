"""The address of a tab: `/?tab=slug`, as a page that shows this one in a frame passes on a query, and no path."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import parse_qs, urlencode

from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send


class TabAddresses:
    """ASGI middleware between the tabs' addresses and Gradio's, which knows each but the first as `/slug`.

    Args:
        app: what makes the pages.
        slugs: of the tabs; the first is the page without a name.
    """

    def __init__(self, app: ASGIApp, slugs: Sequence[str] = ()) -> None:
        self.app, self.slugs = app, slugs[1:]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] in ("GET", "HEAD"):
            base = scope.get("root_path", "")
            path, query = scope["path"].removeprefix(base), parse_qs(scope["query_string"].decode("latin-1"))
            if path.strip("/") in self.slugs:
                address = f"{base}/?{urlencode({**query, 'tab': path.strip('/')}, doseq=True)}"
                await RedirectResponse(address)(scope, receive, send)
                return
            slug = query.get("tab", [""])[0]
            if path in ("", "/") and slug in self.slugs:
                scope = {**scope, "path": f"{base}/{slug}", "raw_path": f"{base}/{slug}".encode()}
        await self.app(scope, receive, send)
