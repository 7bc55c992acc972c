"""Puts answers side by side where there is room, and below each other on a phone."""

from __future__ import annotations

from collections.abc import Iterable

from app.views.html import Markup, tag


def draw_cards(articles: Iterable[Markup]) -> Markup:
    """Articles as one grid."""
    return tag("div", *articles, class_="answers")
