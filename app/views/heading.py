"""A card's heading: the model's name, and what it is for those who ask."""

from __future__ import annotations

from html import escape

from app.results.about import About


def draw_heading(about: About) -> str:
    """The name that people know, the key that links and programs use, and one sentence that opens on demand."""
    key = "" if about.title == about.name else f" <code>{escape(about.name)}</code>"
    said = f"<details><summary>{escape(about.ask)}</summary><p>{escape(about.said)}</p></details>" if about.said else ""
    return f"<div class='model'><h3>{escape(about.title)}{key}</h3>{said}</div>"
