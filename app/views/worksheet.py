"""Draws a lesson as a worksheet that prints on two pages, with its answers or with room for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jinja2 import Template

from app.results.lessons import Lesson

SHEET = Template((Path(__file__).parent / "worksheet.html").read_text(encoding="utf-8"), autoescape=True)
# The fields of a step that appear on paper; the others only matter on the page.
SAID = ("text", "first", "second", "third", "word", "lines", "prompt", "labels", "pairs")
# Height of a step's two boxes in millimetres; fewer steps get higher boxes.
ROOM, FEWEST_STEPS, LESS = 46, 5, 7
LONGEST_FIELD = 160


def draw_worksheet(
    lesson: Lesson, titles: Mapping[str, str], answers: bool, language: str, labels: Mapping[str, str]
) -> str:
    """The whole page.

    Args:
        lesson: what it is about.
        titles: of the tabs, by slug.
        answers: whether to print what is revealed, for the teacher, or boxes to write in.
        language: of the page.
        labels: the lessons' texts in it.
    """
    steps = [(step, titles[step.tab], said_in(step.fields)) for step in lesson.steps]
    space = max(20, ROOM - LESS * (len(steps) - FEWEST_STEPS))
    return SHEET.render(lesson=lesson, steps=steps, answers=answers, language=language, labels=labels, space=space)


def said_in(fields: Mapping[str, str]) -> list[str]:
    """A step's input to its tab as readable lines, shortened if long."""
    lines = [" / ".join(fields[key].split("\n")) for key in SAID if fields.get(key)]
    return [line if len(line) <= LONGEST_FIELD else f"{line[:LONGEST_FIELD]}…" for line in lines]
