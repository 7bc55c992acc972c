"""Puts answers beside each other where there is room, below each other on a phone."""

from __future__ import annotations

from collections.abc import Iterable


def draw_cards(articles: Iterable[str]) -> str:
    """Articles as one grid."""
    return f"<div class='answers'>{''.join(articles)}</div>"
