"""A model's card under a heading with its name, and a description that opens on demand."""

from __future__ import annotations

from typing import Any

from app.results.about import About
from app.views.html import Child, Markup, card, details, join, tag
from app.views.notes import draw_note


def draw_heading(about: About) -> Markup:
    """The familiar name, the key used in links and programs, and one sentence that opens on demand."""
    key = "" if about.title == about.name else join(" ", tag("code", about.name))
    said = details(about.ask, tag("p", about.said)) if about.said else ""
    return tag("div", tag("h3", about.title, key), said, class_="model")


def draw_card(about: About, *content: Child, note: str = "", **attributes: Any) -> Markup:
    """The card; a remark, if there is one, comes first."""
    return card(draw_heading(about), draw_note(note), *content, **attributes)
