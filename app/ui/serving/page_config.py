"""Leaves out of Gradio's description of a page what the page does not show.

Gradio describes the whole program in each of its pages: the list of all pages, and of the endpoints the components,
the events and the documentation. That is two thirds of what the browser would have to read before it draws anything.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from pydantic_core import to_jsonable_python

START, INFO = b"window.gradio_config = ", b"window.gradio_api_info = "
NO_ENDPOINTS: dict[str, Any] = {"named_endpoints": {}, "unnamed_endpoints": {}}
# What a script of an HTML page must not contain.
IN_SCRIPTS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&'"}
DECODER = json.JSONDecoder()
# Gradio writes the same page for every visitor (300 kB each with what is left of it); 5 ms are spent on it once.
PAGES = 24


def in_script(value: Any) -> str:
    """A value as JSON within a script of an HTML page, which no text in it can end before its time."""
    return json.dumps(value, ensure_ascii=False, default=to_jsonable_python).translate(IN_SCRIPTS)


@lru_cache(PAGES)
def only_shown(body: bytes, describes: bool) -> bytes:
    """An HTML page with less in its description.

    Args:
        body: of Gradio's page; one that asks for the password stays as it is.
        describes: the page is to show the endpoints.
    """
    before, found, rest = body.partition(START)
    if not found:
        return body
    text = rest.decode()
    config, end = DECODER.raw_decode(text)
    if "page" not in config or config.get("auth_required"):
        return body
    after = text[end:].encode()
    shown = _one_page(config)
    if not describes:
        shown, after = _without_endpoints(shown), _without_documentation(after)
    return b"".join((before, START, in_script(shown).encode(), after))


def _one_page(config: dict[str, Any]) -> dict[str, Any]:
    """With this page as the first: Gradio's client takes it from the path, and the address names it in the query."""
    page = config["page"][config["current_page"]]
    # The list of pages is the playground's own.
    return config | {"page": {"": page}, "current_page": "", "pages": []}


def _without_endpoints(config: dict[str, Any]) -> dict[str, Any]:
    taken = {one["id"] for one in config["components"] if one["type"] == "api"}
    offered = {one["id"] for one in config["dependencies"] if one["api_visibility"] == "public"}
    page = config["page"][""]
    layout = page["layout"] | {"children": [one for one in page["layout"]["children"] if one["id"] not in taken]}
    components, dependencies = (
        [one for one in config[kind] if one["id"] not in left]
        for kind, left in (("components", taken), ("dependencies", offered))
    )
    shown = {
        **page,
        "components": [one for one in page["components"] if one not in taken],
        "dependencies": [one for one in page["dependencies"] if one not in offered],
        "layout": layout,
    }
    return config | {"components": components, "dependencies": dependencies, "page": {"": shown}}


def _without_documentation(after: bytes) -> bytes:
    before, found, rest = after.partition(INFO)
    if not found:
        return after
    text = rest.decode()
    _, end = DECODER.raw_decode(text)
    return b"".join((before, INFO, in_script(NO_ENDPOINTS).encode(), text[end:].encode()))
