"""The page's own scripts and style sheet, each one file that the browser fetches once for all tabs."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app.ui.components.attention import attention_script
from app.ui.components.downloads import downloads_script
from app.ui.texts import LANGUAGES, texts

FOLDER = Path(__file__).resolve().parents[1]
SAID_AT_ONCE = ("added", "stale", "nothing", "pending", "full", "unread", "emptied", "file")
# Their addresses name what is in them, so that a browser need never ask again.
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}


def _read(*names: str) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


LESSONS = _read("lessons/lessons.js", "lessons/own_lesson.js")
# The few words that a report needs before the server is asked for its page.
WORDS = {code: {key: texts("report")[code][key] for key in SAID_AT_ONCE} for code in LANGUAGES}
REPORT = f"const REPORT_WORDS = {json.dumps(WORDS, ensure_ascii=False)};\n{_read('report/report.js')}"
SCRIPT = "\n".join([_read("page.js"), attention_script(), downloads_script(), LESSONS, REPORT])
STYLE = _read("page.css", "dark.css", "lessons/lessons.css")


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
