"""Draws a remark beside an answer."""

from __future__ import annotations

from html import escape


def draw_note(text: str) -> str:
    """One remark; an empty one draws nothing."""
    return f"<p class='note'>{escape(text)}</p>" if text else ""
