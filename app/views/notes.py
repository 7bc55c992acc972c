"""Draws remarks beside an answer."""

from __future__ import annotations

from app.views.html import Markup, join, tag


def draw_note(*texts: str) -> Markup:
    """A paragraph per remark; empty remarks draw nothing."""
    return join(*(tag("p", text, class_="note") for text in texts if text))
