"""What a lesson does to the page: a bar with the question, answers hidden until they are revealed, keys, large type."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

FOLDER = Path(__file__).parent
# What stays in the address from step to step, beside the language.
KEPT = ("class", "short", "notes")


def lessons_script() -> str:
    """For the head of the page; the style sheet as well, as the bar stands outside of what Gradio's reaches."""
    style, script = ((FOLDER / f"lessons.{ending}").read_text(encoding="utf-8") for ending in ("css", "js"))
    return f"<style>\n{style}</style>\n<script>\n{script}</script>\n"


def kept_of(query: Mapping[str, str], language: str) -> dict[str, str]:
    """What of an address every link of a lesson carries on; switches are 1 or 0."""
    return {"lang": language, **{key: query[key] for key in KEPT if query.get(key) in ("0", "1")}}
