"""The page's own scripts and style sheet, each one file that the browser fetches once for all tabs."""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.ui.components.attention import attention_script
from app.ui.components.downloads import downloads_script

FOLDER = Path(__file__).resolve().parents[1]
# Their addresses name what is in them, so that a browser need never ask again.
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


def _read(*names: str) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


SCRIPT = "\n".join([_read("page.js"), attention_script(), downloads_script(), _read("lessons/lessons.js")])
STYLE = _read("page.css", "lessons/lessons.css")


def _mark_of(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:12]


# For the head of every page.
LINKS = f"""
<link rel="stylesheet" href="page.css?{_mark_of(STYLE)}">
<script src="page.js?{_mark_of(SCRIPT)}"></script>"""


def script(request: Request) -> Response:
    """All scripts."""
    return Response(SCRIPT, media_type="text/javascript", headers=FOREVER)


def style(request: Request) -> Response:
    """What Gradio does not put into its own style sheet."""
    return Response(STYLE, media_type="text/css", headers=FOREVER)


ROUTES = [Route("/page.js", script), Route("/page.css", style)]
