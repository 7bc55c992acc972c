"""Draws sentences to choose one from (see `ui.components.words`)."""

from __future__ import annotations

from collections.abc import Iterable

from app.views.html import Markup, join, listed, tag


def draw_sentences(title: str, sentences: Iterable[str]) -> Markup:
    """A titled list of buttons, numbered from 0 in `data-at`."""
    buttons = (tag("button", tag("span", one), type="button", data_at=at) for at, one in enumerate(sentences))
    return join(tag("p", title), listed("ul", buttons, aria_label=title))
