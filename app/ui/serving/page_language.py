"""Gives the page the server's language, the name of its tab, its scripts, and for a class large type.

Gradio would send every sentence in every language and choose among them in the browser, by the browser's setting alone:
it knows neither `?lang=` nor that a browser set to zh-TW is answered in zh-CN. So the page is changed on its way out:
the markers of `texts.mark` become sentences, and a script at its very top answers for the browser.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.settings import CLASS, settings
from app.ui.serving.link_preview import link_preview, without_previews
from app.ui.serving.page_config import in_script, only_shown
from app.ui.serving.scripts import LINKS
from app.ui.texts import language_from, say, texts

MARKER = re.compile(rb"__say:(\w+)\.([\w.-]+?)__")
# Gradio has one title for all its messages, in English; the style sheet puts this one in its place.
SCRIPT = """<script>
Object.defineProperty(navigator, "language", {{ get: () => "{language}" }});
Object.defineProperty(navigator, "languages", {{ get: () => ["{language}"] }});
document.documentElement.lang = "{language}";
document.documentElement.classList.toggle("class-mode", {large});
document.documentElement.style.setProperty("--error-title", '{title}');
document.documentElement.dataset.rest = {rest};
</script>
"""

# Gradio sets the title again when the page is drawn.
TITLED = "<script>gradio_config.title = document.title;</script>\n"
CONFIGURED = b"window.gradio_config"
# A page that asks for the password shows nothing yet.
REFUSED = b'"auth_required":true'
# From the address and the slug of a page to a script that fills it.
Filling = Callable[[Scope, str], Awaitable[str]]


class PageLanguage:
    """ASGI middleware that says the sentences of a page in its language, and adds script, title and description.

    Args:
        app: what makes the pages.
        slugs: of the page's tabs; the first opens where the address names none.
        filling: makes a script that fills a tab's page.
    """

    def __init__(self, app: ASGIApp, slugs: Sequence[str] = (), filling: Filling | None = None) -> None:
        self.app, self.slugs, self.filling = app, slugs, filling

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        held: list[Message] = []  # the start of an HTML answer, until its body is known

        async def send_changed(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message, scope):
                held.append(message)
            elif message["type"] == "http.response.body" and held:
                held.append(message)
                if not message.get("more_body"):
                    await self._send_changed(held, scope, send)
            else:
                await send(message)

        await self.app(scope, receive, send_changed)

    async def _send_changed(self, held: list[Message], scope: Scope, send: Send) -> None:
        start, *bodies = held
        language, body = _language(scope), b"".join(part.get("body", b"") for part in bodies)
        head = f"{_script(language, scope)}{link_preview(language, self._slug(scope), scope)}{LINKS}"
        if len(self.slugs) > 1:  # a tab on its own is all there is
            body = only_shown(body, _in_address(scope, "view") == "api")
        body = without_previews(body).replace(b"<head>", f"<head>{head}".encode(), 1)
        body = MARKER.sub(lambda found: _in_json(language, found[1].decode(), found[2].decode()), body)
        filled = ""
        if self.filling and CONFIGURED in body and REFUSED not in body:
            filled = await self.filling(scope, self._slug(scope))
        body = body.replace(b"</head>", f"{TITLED}{filled}</head>".encode(), 1)
        kept = [(name, value) for name, value in start["headers"] if name != b"content-length"]
        await send({**start, "headers": [*kept, (b"content-length", str(len(body)).encode())]})
        await send({"type": "http.response.body", "body": body})

    def _slug(self, scope: Scope) -> str:
        wanted = _in_address(scope, "tab")
        return wanted if wanted in self.slugs else next(iter(self.slugs), "")


def _script(language: str, scope: Scope) -> str:
    title, rest = (json.dumps(say(language, "playground", key), ensure_ascii=False) for key in ("error_title", "rest"))
    # What the address says goes before what the host has set.
    large = (_in_address(scope, "class") or str(int(settings().mode == CLASS))) == "1"
    return SCRIPT.format(language=language, title=title, rest=rest, large=json.dumps(large))


def _language(scope: Scope) -> str:
    named = _in_address(scope, "lang")
    accepted = dict(scope["headers"]).get(b"accept-language", b"").decode("latin-1")
    return language_from(named, accepted)


def _in_address(scope: Scope, key: str) -> str:
    return parse_qs(scope["query_string"].decode("latin-1")).get(key, [""])[0]


def _is_page(start: Message, scope: Scope) -> bool:
    """HTML, or the page's configuration, which programs read that show the page as a part of theirs."""
    headers = dict(start["headers"])
    html = headers.get(b"content-type", b"").startswith(b"text/html")
    return (html or scope["path"].endswith("/config")) and b"content-encoding" not in headers


def _in_json(language: str, slug: str, key: str) -> bytes:
    return in_script(texts(slug)[language][key])[1:-1].encode()
