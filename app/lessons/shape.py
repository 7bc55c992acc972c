"""Checks whether the content of a file has the shape of a lesson: its keys, the kinds and lengths of its values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from app.results.lessons import Step, Teacher

LANGUAGES = ("en", "zh-CN")
# A lesson's texts in one language, besides its steps.
TEXTS = ("title", "about")
# Limits of a text, of all fields of a step (which travel in a link), of a lesson's steps, and of a step's minutes.
LONGEST_TEXT, LONGEST_FIELDS, MOST_STEPS, MOST_MINUTES = 2_000, 5_000, 20, 180
TEXT, NUMBER, SWITCH, OBJECT = "text", "number", "switch", "object"


@dataclass(frozen=True)
class Fault:
    """One fault of a lesson.

    Attributes:
        key: of its sentence.
        language: of the lesson; empty for the file.
        step: its number, from 1; 0 for the lesson.
        values: to insert into the sentence.
    """

    key: str
    language: str = ""
    step: int = 0
    values: Mapping[str, object] = field(default_factory=dict)

    def sentence(self, labels: Mapping[str, str]) -> str:
        """The fault in words.

        Args:
            labels: the texts of `lesson_faults.json` in one language.
        """
        said = labels[self.key].format(**self.values)
        if not self.language:
            return said
        place = labels["in_step" if self.step else "in_language"]
        return place.format(language=self.language, step=self.step, said=said)


def shape_of(told: object) -> Iterator[Fault]:
    """What keeps a JSON value from being a lesson; empty if it is one, even if unfinished."""
    if not isinstance(told, dict):
        yield Fault("no_lesson")
        return
    strangers = [key for key in told if key not in (*LANGUAGES, "order")]
    yield from (Fault("stranger", values={"key": _short(key)}) for key in strangers)
    spoken = [language for language in LANGUAGES if language in told]
    if not spoken:
        yield Fault("no_lesson")
    for language in spoken:
        yield from _lesson(told[language], language)


def _lesson(told: object, language: str) -> Iterator[Fault]:
    if not isinstance(told, dict):
        yield Fault("object", language, values={"key": language})
        return
    yield from (Fault("missing", language, values={"key": key}) for key in (*TEXTS, "steps") if key not in told)
    known = (*TEXTS, "steps")
    yield from (Fault("stranger", language, values={"key": _short(key)}) for key in told if key not in known)
    for key in TEXTS:
        yield from _value(key, told.get(key, ""), TEXT, language, 0)
    steps = told.get("steps", [])
    if not isinstance(steps, list):
        yield Fault("list", language, values={"key": "steps"})
        return
    if len(steps) > MOST_STEPS:
        yield Fault("many_steps", language, values={"count": len(steps), "most": MOST_STEPS})
    for number, step in enumerate(steps[:MOST_STEPS], start=1):
        yield from _step(step, language, number)


def _step(told: object, language: str, number: int) -> Iterator[Fault]:
    if not isinstance(told, dict):
        yield Fault("object", language, number, {"key": "steps"})
        return
    yield from _keys(Step, told, language, number)
    teacher = told.get("teacher", {})
    if isinstance(teacher, dict):
        yield from _keys(Teacher, teacher, language, number)
        minutes = teacher.get("minutes", 0)
        if isinstance(minutes, int) and not 0 <= minutes <= MOST_MINUTES:
            yield Fault("minutes_range", language, number, {"most": MOST_MINUTES})
    given = told.get("fields", {})
    if isinstance(given, dict):
        if not all(isinstance(value, str) for value in given.values()):
            yield Fault("field_text", language, number)
        elif (count := sum(map(len, given.values()))) > LONGEST_FIELDS:
            yield Fault("long", language, number, {"key": "fields", "count": count, "most": LONGEST_FIELDS})
    choices = told.get("choices", {})
    if isinstance(choices, dict) and not all(isinstance(promise, dict) for promise in choices.values()):
        yield Fault("object", language, number, {"key": "choices"})


def _keys(kind: type, told: Mapping[str, Any], language: str, number: int) -> Iterator[Fault]:
    known = {one.name: one for one in fields(kind)}
    needed = [key for key, one in known.items() if one.default is MISSING and one.default_factory is MISSING]
    yield from (Fault("missing", language, number, {"key": key}) for key in needed if key not in told)
    yield from (Fault("stranger", language, number, {"key": _short(key)}) for key in told if key not in known)
    for key, one in known.items():
        if key in told:
            yield from _value(key, told[key], _kind(str(one.type)), language, number)


def _kind(annotation: str) -> str:
    return {"str": TEXT, "int": NUMBER, "bool": SWITCH}.get(annotation, OBJECT)


def _value(key: str, value: object, kind: str, language: str, number: int) -> Iterator[Fault]:
    wanted = {TEXT: str, NUMBER: int, SWITCH: bool, OBJECT: dict}[kind]
    if not isinstance(value, wanted) or (kind == NUMBER and isinstance(value, bool)):
        yield Fault(kind, language, number, {"key": key})
    elif isinstance(value, str) and len(value) > LONGEST_TEXT:
        yield Fault("long", language, number, {"key": key, "count": len(value), "most": LONGEST_TEXT})


def _short(key: object) -> str:
    return str(key)[:40]
