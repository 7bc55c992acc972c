"""The page as it leaves the server: in its language, with its title, description and scripts."""

from __future__ import annotations

import json
import re

import gradio as gr
import pytest

from app.ui.serving.page_language import PageLanguage
from app.ui.texts import LANGUAGES, language_from, language_of, mark, say, texts
from tests.asynchronous import run


def fetch(
    query: bytes,
    kind: bytes = b"text/html; charset=utf-8",
    accepted: bytes = b"",
    slugs: tuple[str, ...] = ("start", "fill_mask"),
    inside: bytes = b"",
    path: str = "/",
) -> tuple[dict[bytes, bytes], bytes]:
    """Headers and body of a small page behind the middleware."""

    async def page(scope, receive, send) -> None:
        body = b"<html><head><title>x</title></head>" + inside + b"</html>"
        headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body[:10], "more_body": True})
        await send({"type": "http.response.body", "body": body[10:]})

    sent: list[dict] = []

    async def send(message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "query_string": query}
    scope["headers"] = [(b"accept-language", accepted)]
    run(PageLanguage(page, slugs)(scope, None, send))
    return dict(sent[0]["headers"]), b"".join(message.get("body", b"") for message in sent[1:])


def test_a_known_language_is_told_to_the_page() -> None:
    headers, body = fetch(b"tab=fill_mask&lang=zh-CN")
    assert b'() => "zh-CN"' in body and body.index(b"<script>") < body.index(b"<title>")
    assert int(headers[b"content-length"]) == len(body)


@pytest.mark.parametrize("named", ["zh", "zh-CN", "zh-cn", "zh-TW", "zh-HK", "zh-Hant", "zh_Hant_HK", "ZH"])
def test_every_chinese_is_one_on_the_page_and_on_the_server(named: str) -> None:
    in_address = gr.Request(query_params={"lang": named}, headers={"accept-language": "en-US"})
    in_browser = gr.Request(query_params={}, headers={"accept-language": f"{named},en;q=0.5"})
    assert language_of(in_address) == language_of(in_browser) == "zh-CN"
    for query, accepted in ((f"lang={named}", "en-US"), ("", f"{named},en;q=0.5")):
        _, body = fetch(query.encode(), accepted=accepted.encode())
        assert b'() => "zh-CN"' in body


@pytest.mark.parametrize(
    ("named", "accepted", "language"),
    [("", "", "en"), ("xx", "", "en"), ("", "fr-FR,zh-TW;q=0.8,en;q=0.5", "zh-CN"), ("en-GB", "zh-CN", "en")],
)
def test_the_first_language_that_the_page_has(named: str, accepted: str, language: str) -> None:
    assert language_from(named, accepted) == language
    _, body = fetch(f"lang={named}".encode(), accepted=accepted.encode())
    assert f'() => "{language}"'.encode() in body


@pytest.mark.parametrize(("query", "said"), [(b"lang=en", "Your sentence"), (b"lang=zh-CN", "你的句子")])
def test_marked_sentences_are_said_in_the_page_and_in_its_configuration(query: bytes, said: str) -> None:
    marked = json.dumps({"label": mark("fill_mask", "text")}).encode()
    for path, kind in (("/", b"text/html"), ("/config", b"application/json")):
        _, body = fetch(query, kind, inside=marked, path=path)
        found = re.search(rb'\{"label": .*?\}', body)
        assert found is not None and json.loads(found[0]) == {"label": said}


def test_what_would_end_a_script_is_written_otherwise() -> None:
    language = next(code for code in LANGUAGES if "<" in texts("fill_mask")[code]["text_hint"])
    _, body = fetch(f"lang={language}".encode(), inside=f'"{mark("fill_mask", "text_hint")}"'.encode())
    assert b"<mask>" not in body and b"\\u003cmask\\u003e" in body


def test_there_is_a_sentence_for_every_mark() -> None:
    with pytest.raises(KeyError):
        mark("fill_mask", "no such sentence")


def test_what_is_no_page_goes_through_as_it_is() -> None:
    _, body = fetch(b"lang=zh-CN", b"application/json")
    assert b"<script>" not in body
    _, body = fetch(b'lang="><script>alert(1)')
    assert b"alert" not in body and b'() => "en"' in body


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("", "Start · PLM Playground"),
        ("tab=fill_mask", "Masked words · PLM Playground"),
        ("tab=fill_mask&lang=zh-CN", "填空 · PLM Playground"),
        ("tab=<script>", "Start · PLM Playground"),
        ("tab=errors", "Start · PLM Playground"),  # has texts, but is no tab
    ],
)
def test_a_page_has_the_name_and_the_description_of_its_tab(query: str, title: str) -> None:
    _, body = fetch(query.encode())
    page = body.decode()
    assert page.index(f"<title>{title}</title>") < page.index("<title>x</title>")
    assert f'property="og:title" content="{title}"' in page and '<script>"' not in page
    language = "zh-CN" if "zh-CN" in query else "en"
    assert say(language, "playground", "about") in page
    assert page.count(say(language, "fill_mask", "invite")) == (2 if "fill_mask" in query else 0)


def test_a_page_without_tabs_has_a_name() -> None:
    _, body = fetch(b"tab=fill_mask", slugs=())
    assert b"<title>PLM Playground</title>" in body


@pytest.mark.parametrize(
    ("config", "filled"), [(b"{}", True), (b'{"auth_required":true}', False), (None, False)], ids=str
)
def test_only_a_page_that_shows_something_is_filled(config: bytes | None, filled: bool) -> None:
    inside = b"<head><script>window.gradio_config = %b;</script></head>" % config if config else b"<head></head>"

    async def page(scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/html")]})
        await send({"type": "http.response.body", "body": inside})

    async def fill(scope: object, slug: str) -> str:
        return f"<script>{slug} __say:playground.header__</script>"

    sent: list[dict] = []

    async def send(message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"tab=fill_mask", "headers": []}
    run(PageLanguage(page, ("start", "fill_mask"), fill)(scope, None, send))
    # What a visitor wrote stays as it is.
    assert (b"<script>fill_mask __say:playground.header__</script></head>" in sent[1]["body"]) == filled
