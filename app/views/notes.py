"""Draws remarks beside an answer."""

from __future__ import annotations

from app.views.html import Markup, join, tag


def draw_note(*texts: str) -> Markup:
    """A paragraph for each remark; an empty one draws nothing."""
    return join(*(tag("p", text, class_="note") for text in texts if text))
