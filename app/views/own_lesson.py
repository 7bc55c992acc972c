"""Draws a visitor's own lesson as a form: the content of its steps, and buttons to move, save and begin them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Template

from app.results.lessons import Lesson
from app.views.html import Markup, join, listed, tag
from app.views.lessons import link_to_step
from app.views.worksheet import said_in

FORM = Template((Path(__file__).parent / "own_lesson.html").read_text(encoding="utf-8"), autoescape=True)
# A button of a step: its action, its sign, the key of its name.
UP, DOWN, REMOVE = ("up", "↑", "own_up"), ("down", "↓", "own_down"), ("remove", "✕", "own_remove")
Labels = Mapping[str, str]


def draw_own(
    lesson: Lesson | None,
    titles: Mapping[str, str],
    kept: Mapping[str, str],
    labels: Labels,
    limits: tuple[int, int, int],
) -> Markup:
    """The form.

    Args:
        lesson: the visitor's; None if there is none yet.
        titles: of the tabs, by slug.
        kept: what every link carries on: `lang` and `class`.
        labels: the lessons' texts in the visitor's language.
        limits: the longest text, the most minutes per step, the largest file in bytes.
    """
    longest, most_minutes, most_bytes = limits
    shown = {"labels": labels, "longest": longest, "most_minutes": most_minutes, "lesson": lesson, "most": most_bytes}
    if lesson is None:
        return Markup(FORM.render(shown, language=kept["lang"]))
    steps = [
        (step, titles.get(step.tab, step.tab), link_to_step(lesson, number, kept), said_in(step.fields))
        for number, step in enumerate(lesson.steps, start=1)
    ]
    sheet = urlencode({"lesson": lesson.slug, "lang": kept["lang"]})
    ways = {"begin": _begin(lesson, False, kept), "begin_short": _begin(lesson, True, kept)}
    moves = _moves(len(steps), labels)
    shown |= {"steps": steps, "moves": moves, "sheet": f"worksheet?{sheet}", **ways}
    return Markup(FORM.render(shown, language=kept["lang"]))


def _begin(lesson: Lesson, short: bool, kept: Mapping[str, str]) -> str:
    numbers = lesson.numbers(short)
    return link_to_step(lesson, numbers[0], {**kept, "short": "1" if short else ""}) if numbers else ""


def _moves(count: int, labels: Labels) -> Sequence[Sequence[tuple[str, str, str]]]:
    """The buttons of each step; the first cannot move up, nor the last down."""
    given = [[UP] * (at > 0) + [DOWN] * (at < count - 1) + [REMOVE] for at in range(count)]
    return [
        [(what, sign, labels[key].format(number=number)) for what, sign, key in moves]
        for number, moves in enumerate(given, start=1)
    ]


def draw_checked(sentences: Sequence[str], asked: int, count: int, labels: Labels) -> Markup:
    """The checker's findings.

    Args:
        sentences: what is wrong.
        asked: how many steps were tried on the models.
        count: the number of all steps.
        labels: the lessons' texts in the visitor's language.
    """
    if not sentences:
        return tag("p", labels["own_right"].format(asked=asked, count=count))
    return join(tag("p", labels["own_wrong"]), listed("ul", sentences))
