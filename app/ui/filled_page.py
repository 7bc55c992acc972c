"""A page leaves the server with what its tab opens with: no further request is needed, and nothing jumps.

Gradio draws its page from a description in it. The values that opening the tab would send are put into that
description, in the browser, before anything is drawn: so what Gradio wrote is the same for every visitor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gradio as gr
from starlette.requests import Request
from starlette.types import Scope

from app.ui.first_answers import NOTHING, Opening
from app.ui.gradio_internals.components import Props, as_props
from app.ui.serving.page_config import in_script
from app.ui.serving.page_language import Filling

SCRIPT = "<script>playground.bring(%s, %s);</script>\n"


def filling(page: gr.Blocks, openings: Sequence[Opening]) -> Filling:
    """What makes the script that fills the page of a tab; empty where nothing can be said before it is open."""
    by_slug = {opening.slug: opening for opening in openings}

    async def script(scope: Scope, slug: str) -> str:
        opening = by_slug.get(slug)
        if opening is None:
            return ""
        brought, props = await _brought(page, opening, gr.Request(Request(scope)))
        return SCRIPT % (in_script(brought), in_script(props)) if brought else ""

    return script


async def _brought(page: gr.Blocks, opening: Opening, request: gr.Request) -> tuple[str, Props]:
    brought = NOTHING

    def work() -> tuple[Sequence[Any], Sequence[Any]]:
        nonlocal brought
        brought, values = opening.bring(request)
        return opening.shown[: len(values)], values

    try:
        props = await as_props(page, work)
    except gr.Error:  # the open page shows it to the visitor
        return NOTHING, {}
    return brought, props
