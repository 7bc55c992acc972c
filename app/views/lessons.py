"""Draws the list of lessons, and the bar with a step's question. Links carry everything a step needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from app.results.lessons import Lesson, Step
from app.views.cards import draw_cards
from app.views.html import Markup, card, details, join, listed, tag

Labels = Mapping[str, str]


def link_to_step(lesson: Lesson, number: int, kept: Mapping[str, str]) -> str:
    """The address of a step: its tab, filled in and submitted, and the parameters kept from step to step."""
    step = lesson.steps[number - 1]
    at = {"tab": step.tab, **step.fields, "run": "1", "lesson": lesson.slug, "step": str(number)}
    return f"?{urlencode({**at, **{key: value for key, value in kept.items() if value}})}"


def draw_lessons(lessons: Iterable[Lesson], kept: Mapping[str, str], labels: Labels) -> Markup:
    """Every lesson with its topic, ways to begin, and its steps with the teacher's notes, folded."""
    large = labels["usual" if kept.get("class") == "1" else "large"]
    turned = {"tab": "lessons", **kept, "class": "0" if kept.get("class") == "1" else "1"}
    way = tag("p", tag("a", large, href=f"?{urlencode(turned)}"))
    return way + draw_cards(_draw_lesson(lesson, kept, labels) for lesson in lessons)


def _draw_lesson(lesson: Lesson, kept: Mapping[str, str], labels: Labels) -> Markup:
    forms = (
        ("begin", lesson.minutes, lesson.numbers(False)[0], kept),
        ("begin_short", lesson.short_minutes, lesson.numbers(True)[0], {**kept, "short": "1"}),
    )
    ways = (
        tag("a", labels[key].format(minutes=minutes), class_="begin", href=link_to_step(lesson, number, with_form))
        for key, minutes, number, with_form in forms
    )
    steps = (_draw_step(step, link_to_step(lesson, at, kept), labels) for at, step in enumerate(lesson.steps, start=1))
    sheet = {"lesson": lesson.slug, "lang": kept.get("lang", "")}
    sheets = (
        tag("a", labels[key], target="_blank", href=f"worksheet?{urlencode({**sheet, **more})}")
        for key, more in (("sheet", {}), ("sheet_answers", {"answers": "1"}))
    )
    return card(
        tag("h3", lesson.title),
        tag("p", lesson.about),
        tag("p", *ways, class_="begins"),
        tag("p", Markup(" · ").join(sheets)),
        details(labels["steps"], listed("ol", steps)),
        kind="lesson",
        id=f"lesson-{lesson.slug}",
    )


def _draw_step(step: Step, link: str, labels: Labels) -> Markup:
    length = labels["minutes"].format(minutes=step.teacher.minutes)
    told = tag("small", " · ".join([length, *([labels["in_short"]] if step.short else [])]))
    for_teacher = details(labels["for_teacher"], _draw_reveal(step, labels), _draw_notes(step, labels))
    return join(tag("a", step.question, href=link), " ", told, for_teacher)


def draw_bar(lesson: Lesson, number: int, kept: Mapping[str, str], labels: Labels) -> Markup:
    """A step's question, its answer in words, and links to the previous and next steps.

    Args:
        lesson: the lesson of the step.
        number: of the step, from 1.
        kept: what every link carries on: `lang`, and `class`, `short` and `notes` if set.
        labels: the tab's texts in the visitor's language.
    """
    step, numbers = lesson.steps[number - 1], lesson.numbers(kept.get("short") == "1")
    before = [one for one in numbers if one < number][-1:]
    after = [one for one in numbers if one > number][:1]
    counted = labels["step_of"].format(number=sum(one <= number for one in numbers), count=len(numbers))
    end = f"?{urlencode({'tab': 'lessons', **{key: kept[key] for key in ('lang', 'class') if kept.get(key)}})}"
    noted = kept.get("notes") == "1"
    second = link_to_step(lesson, number, {**kept, "notes": "1"})
    ways = (
        _way(lesson, before, "prev", "←", kept, labels["previous"]),
        _button("reveal", labels["reveal"]),
        _way(lesson, after, "next", "→", kept, labels["next"]),
        _button("ask", labels["ask_class"]),
        _button("full", labels["full"], labels["keys"]),
        "" if noted else tag("a", labels["notes"], class_="second", target="_blank", href=second),
    )
    where = (tag("a", labels["end"], href=end), " ", tag("b", lesson.title), " ", tag("span", counted))
    return tag(
        "aside",
        tag("p", *where, class_="where"),
        tag("p", step.question, class_="question"),
        _draw_choices(step),
        tag("div", _draw_reveal(step, labels), class_="revealed", role="status"),
        tag("p", *ways, class_="ways"),
        tag("p", class_="class-said", role="status"),
        _draw_notes(step, labels) if noted else "",
        id="lesson",
        aria_label=labels["bar"],
        data_here=link_to_step(lesson, number, kept),
    )


def _button(kind: str, said: str, title: str | None = None) -> Markup:
    return tag("button", said, type="button", class_=kind, title=title)


def _draw_choices(step: Step) -> Markup:
    # The style sheet shows which one is right only once the answer is revealed.
    rows = [tag("li", one, class_=one == step.right and "right") for one in step.choices]
    return tag("ul", *rows, class_="choices") if rows else Markup()


def draw_missing(labels: Labels) -> Markup:
    """The message that there is no such step."""
    return tag("aside", tag("p", labels["missing"]), id="lesson")


def _way(lesson: Lesson, to: list[int], rel: str, arrow: str, kept: Mapping[str, str], said: str) -> Markup:
    if not to:
        return Markup()
    return tag("a", arrow, rel=rel, href=link_to_step(lesson, to[0], kept), aria_label=said, title=said)


def _draw_reveal(step: Step, labels: Labels) -> Markup:
    published = tag("p", tag("b", f"{labels['published']}:"), f" {step.published}") if step.published else ""
    return join(tag("p", step.reveal), published)


def _draw_notes(step: Step, labels: Labels) -> Markup:
    rows = (("wrong", step.teacher.wrong), ("ask_next", step.teacher.next))
    told = (tag("dt", labels[key]) + tag("dd", said) for key, said in rows)
    length = labels["minutes"].format(minutes=step.teacher.minutes)
    return tag("dl", *told, class_="notes") + tag("p", tag("small", length))
