"""Draws the lessons: the list of all, and the bar with a step's question. Links carry everything that a step needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from urllib.parse import urlencode

from app.results.lessons import Lesson, Step
from app.views.class_room import MARKED

Labels = Mapping[str, str]


def link_to_step(lesson: Lesson, number: int, kept: Mapping[str, str]) -> str:
    """The address of a step: its tab, filled in and asked, and what is kept from step to step."""
    step = lesson.steps[number - 1]
    at = {"tab": step.tab, **step.fields, "run": "1", "lesson": lesson.slug, "step": str(number)}
    return f"?{urlencode({**at, **{key: value for key, value in kept.items() if value}})}"


def draw_lessons(lessons: Iterable[Lesson], kept: Mapping[str, str], labels: Labels) -> str:
    """Every lesson with what it is about, the ways to begin, and its steps with the teacher's notes, folded."""
    large = labels["usual" if kept.get("class") == "1" else "large"]
    turned = {"tab": "lessons", **kept, "class": "0" if kept.get("class") == "1" else "1"}
    way = f"<p><a href='?{escape(urlencode(turned))}'>{escape(large)}</a></p>"
    return f"{way}<div class='answers'>{''.join(_draw_lesson(lesson, kept, labels) for lesson in lessons)}</div>"


def _draw_lesson(lesson: Lesson, kept: Mapping[str, str], labels: Labels) -> str:
    forms = (
        ("begin", lesson.minutes, lesson.numbers(False)[0], kept),
        ("begin_short", lesson.short_minutes, lesson.numbers(True)[0], {**kept, "short": "1"}),
    )
    ways = "".join(
        f"<a class='begin' href='{escape(link_to_step(lesson, number, with_form))}'>"
        f"{escape(labels[key].format(minutes=minutes))}</a>"
        for key, minutes, number, with_form in forms
    )
    steps = "".join(
        f"<li>{_draw_step(step, link_to_step(lesson, number, kept), labels)}</li>"
        for number, step in enumerate(lesson.steps, start=1)
    )
    sheet = {"lesson": lesson.slug, "lang": kept.get("lang", "")}
    sheets = " ".join(
        f"<a target='_blank' href='worksheet?{escape(urlencode({**sheet, **more}))}'>{escape(labels[key])}</a>"
        for key, more in (("sheet", {}), ("sheet_answers", {"answers": "1"}))
    )
    return (
        f"<article class='answer lesson' id='lesson-{escape(lesson.slug)}'><h3>{escape(lesson.title)}</h3>"
        f"<p>{escape(lesson.about)}</p><p class='begins'>{ways}</p><p>{sheets}</p>"
        f"<details><summary>{escape(labels['steps'])}</summary><ol>{steps}</ol></details></article>"
    )


def _draw_step(step: Step, link: str, labels: Labels) -> str:
    length = labels["minutes"].format(minutes=step.teacher.minutes)
    told = " · ".join([length, *([labels["in_short"]] if step.short else [])])
    return (
        f"<a href='{escape(link)}'>{escape(step.question)}</a> <small>{escape(told)}</small>"
        f"<details><summary>{escape(labels['for_teacher'])}</summary>{_draw_reveal(step, labels)}"
        f"{_draw_notes(step, labels)}</details>"
    )


def draw_bar(lesson: Lesson, number: int, kept: Mapping[str, str], labels: Labels) -> str:
    """A step's question, its answer in words, and the ways to the steps before and after.

    Args:
        lesson: with the step.
        number: of the step, from 1.
        kept: what every link carries on: `lang`, and where they are set `class`, `short` and `notes`.
        labels: the tab's texts in the visitor's language.
    """
    step, numbers = lesson.steps[number - 1], lesson.numbers(kept.get("short") == "1")
    before = [one for one in numbers if one < number][-1:]
    after = [one for one in numbers if one > number][:1]
    counted = labels["step_of"].format(number=sum(one <= number for one in numbers), count=len(numbers))
    end = f"?{urlencode({'tab': 'lessons', **{key: kept[key] for key in ('lang', 'class') if kept.get(key)}})}"
    previous = _way(lesson, before, "prev", "←", kept, labels["previous"])
    following = _way(lesson, after, "next", "→", kept, labels["next"])
    noted = kept.get("notes") == "1"
    second = "" if noted else _second_window(link_to_step(lesson, number, {**kept, "notes": "1"}), labels)
    return (
        f"<aside id='lesson' aria-label='{escape(labels['bar'])}' "
        f"data-here='{escape(link_to_step(lesson, number, kept))}'>"
        f"<p class='where'><a href='{escape(end)}'>{escape(labels['end'])}</a> <b>{escape(lesson.title)}</b> "
        f"<span>{escape(counted)}</span></p>"
        f"<p class='question'>{escape(step.question)}</p>{_draw_choices(step)}"
        f"<div class='revealed' role='status'>{_draw_reveal(step, labels)}</div>"
        f"<p class='ways'>{previous}<button type='button' class='reveal'>{escape(labels['reveal'])}</button>{following}"
        f"<button type='button' class='ask'>{escape(labels['ask_class'])}</button>"
        f"<button type='button' class='full' title='{escape(labels['keys'])}'>{escape(labels['full'])}</button>"
        f"{second}</p><p class='class-said' role='status'></p>{_draw_notes(step, labels) if noted else ''}</aside>"
    )


def _draw_choices(step: Step) -> str:
    rows = "".join(f"<li{MARKED * (one == step.right)}>{escape(one)}</li>" for one in step.choices)
    return f"<ul class='choices'>{rows}</ul>" if rows else ""


def draw_missing(labels: Labels) -> str:
    """There is no such step."""
    return f"<aside id='lesson'><p>{escape(labels['missing'])}</p></aside>"


def _way(lesson: Lesson, to: list[int], rel: str, arrow: str, kept: Mapping[str, str], said: str) -> str:
    if not to:
        return ""
    link = escape(link_to_step(lesson, to[0], kept))
    return f"<a rel='{rel}' href='{link}' aria-label='{escape(said)}' title='{escape(said)}'>{arrow}</a>"


def _second_window(link: str, labels: Labels) -> str:
    return f"<a class='second' target='_blank' href='{escape(link)}'>{escape(labels['notes'])}</a>"


def _draw_reveal(step: Step, labels: Labels) -> str:
    published = f"<p><b>{escape(labels['published'])}:</b> {escape(step.published)}</p>" if step.published else ""
    return f"<p>{escape(step.reveal)}</p>{published}"


def _draw_notes(step: Step, labels: Labels) -> str:
    rows = (("wrong", step.teacher.wrong), ("ask_next", step.teacher.next))
    told = "".join(f"<dt>{escape(labels[key])}</dt><dd>{escape(said)}</dd>" for key, said in rows)
    length = escape(labels["minutes"].format(minutes=step.teacher.minutes))
    return f"<dl class='notes'>{told}</dl><p><small>{length}</small></p>"
