"""Draws a lesson as a worksheet that prints on two pages, with its answers or with room for them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from jinja2 import Template

from app.results.lessons import Lesson

SHEET = Template((Path(__file__).parent / "worksheet.html").read_text(encoding="utf-8"), autoescape=True)
# What of a step's fields is said on paper; the rest is the page's business.
SAID = ("text", "first", "second", "third", "word", "lines", "prompt", "labels", "pairs")
# Height of the two boxes of a step, in millimetres: more where there are fewer steps.
ROOM, FEWEST_STEPS, LESS = 46, 5, 7
LONGEST_FIELD = 160


def draw_worksheet(
    lesson: Lesson, titles: Mapping[str, str], answers: bool, language: str, labels: Mapping[str, str]
) -> str:
    """The whole page.

    Args:
        lesson: what it is about.
        titles: of the tabs, by slug.
        answers: with what is revealed, for the teacher; else with boxes to write in.
        language: of the page.
        labels: the lessons' texts in it.
    """
    steps = [(step, titles[step.tab], said_in(step.fields)) for step in lesson.steps]
    space = max(20, ROOM - LESS * (len(steps) - FEWEST_STEPS))
    return SHEET.render(lesson=lesson, steps=steps, answers=answers, language=language, labels=labels, space=space)


def said_in(fields: Mapping[str, str]) -> list[str]:
    """What a step puts into its tab, as lines to read, cut where they are long."""
    lines = [" / ".join(fields[key].split("\n")) for key in SAID if fields.get(key)]
    return [line if len(line) <= LONGEST_FIELD else f"{line[:LONGEST_FIELD]}…" for line in lines]
