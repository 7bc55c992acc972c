"""What a chat or a search shows of a link to a page: its title, a sentence, a picture."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route
from starlette.types import Scope

from app.settings import ROOT
from app.ui.texts import NAME, say
from app.views.html import Markup

PATH = "/preview.png"
# A picture of Start in English, 1200 x 630, the size that previews are cut to.
PICTURE = ROOT / "assets" / "preview.png"
ONE_DAY = {"Cache-Control": "public, max-age=86400"}
HEAD = Markup("""
<title>{title}</title>
<meta name="description" content="{about}">
<meta property="og:type" content="website">
<meta property="og:title" content="{title}">
<meta property="og:description" content="{about}">
<meta property="og:image" content="{picture}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">""")
# Gradio's own name itself, with a picture from another host.
THEIRS = re.compile(rb'<meta\s+(?:property="og:|name="twitter:)[^>]*>\s*')


def link_preview(language: str, slug: str, scope: Scope) -> Markup:
    """For the head of a page.

    Args:
        language: of the page.
        slug: of its tab; empty for a page that has none.
        scope: of the request, whose address the picture's is made of.
    """
    title, about = NAME, say(language, "playground", "about")
    if slug:
        title = f"{say(language, slug, 'title')} · {NAME}"
        about = f"{say(language, slug, 'invite')} {about}"
    return HEAD.format(title=title, about=about, picture=_address(scope) + PATH)


def without_previews(body: bytes) -> bytes:
    """A page without Gradio's preview of itself."""
    before, end, after = body.partition(b"</head>")
    return THEIRS.sub(b"", before) + end + after


def _address(scope: Scope) -> str:
    """Of the page's folder as the visitor sees it, before any proxy: previews take no relative address."""
    headers = Request(scope).headers
    scheme = headers.get("x-forwarded-proto", scope.get("scheme", "http")).split(",")[0].strip()
    host = headers.get("x-forwarded-host", headers.get("host", "")).split(",")[0].strip()
    return f"{scheme}://{host}{scope.get('root_path', '')}"


def picture(request: Request) -> FileResponse:
    """The picture itself."""
    return FileResponse(PICTURE, media_type="image/png", headers=ONE_DAY)


ROUTES = [Route(PATH, picture)]
