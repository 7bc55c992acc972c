"""Says what is wrong with a lesson's file, in sentences for whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from app.errors import PlaygroundError
from app.lessons.class_answers import LONGEST
from app.lessons.promises import KINDS, broken_promise, kind_of
from app.lessons.read import lesson_of, read_file
from app.registry.lookup import BY_NAME
from app.results.lessons import Step, Teacher
from app.settings import ROOT

LANGUAGES = ("en", "zh-CN")
TABS = ROOT / "assets" / "tabs"
# What a step may set in a tab: the keys of its links, `layer` where a plot can begin with one. A test compares them.
FIELDS: Mapping[str, frozenset[str]] = {
    "tokenization": frozenset({"text", "model"}),
    "word_vectors": frozenset({"word", "first", "second", "third", "model"}),
    "word_sense": frozenset({"lines", "word", "model", "other", "forms", "layer"}),
    "fill_mask": frozenset({"text", "model", "targets", "guess"}),
    "sentence_pair": frozenset({"first", "second", "model"}),
    "prompting": frozenset({"prompt", "model", "temperature", "seed"}),
    "surprise": frozenset({"first", "second", "model"}),
    "zero_shot": frozenset({"text", "labels", "template", "model", "shots", "examples", "tests"}),
    "classification": frozenset({"text", "pairs", "model"}),
    "attribution": frozenset({"text", "model"}),
    "fine_tune": frozenset(),
    "tagging": frozenset({"text", "model"}),
    "answering": frozenset({"question", "passage", "model"}),
    "attention": frozenset({"text", "second", "model", "other"}),
    "models": frozenset(),
}
# A lesson and its short form, in minutes.
MOST_MINUTES, FEWEST_MINUTES, MOST_SHORT = 45, 30, 15
STEPS = range(5, 9)


def faults(path: Path, promises: bool = True) -> Iterator[str]:
    """What is wrong with a file; nothing where all is well.

    Args:
        path: of the lesson.
        promises: ask the models as well, which takes a while.
    """
    try:
        told = read_file(path)
    except JSONDecodeError as error:
        yield f"This is no JSON: {error}."
        return
    if not isinstance(told.get("order"), int):
        yield "“order”, a whole number, is missing."
    yield from (f"The lesson is not there in {language}." for language in LANGUAGES if language not in told)
    spoken = [language for language in LANGUAGES if language in told]
    found = [fault for language in spoken for fault in _shape(told[language], language)]
    yield from found
    if found:
        return
    yield from _unlike(told)
    for language in spoken:
        lesson = lesson_of(path.stem, told[language])
        if not (FEWEST_MINUTES <= lesson.minutes <= MOST_MINUTES and 0 < lesson.short_minutes <= MOST_SHORT):
            yield f"{language}: {lesson.minutes} minutes, the short form {lesson.short_minutes}."
        for number, step in enumerate(lesson.steps, start=1):
            said = _step(step) or (_kept(step, language) if promises else "")
            if said:
                yield f"{language}, step {number}: {said}"


def _shape(told: Mapping[str, Any], language: str) -> Iterator[str]:
    yield from (f"{language}: “{key}” is missing." for key in ("title", "about", "steps") if not told.get(key))
    steps = told.get("steps", [])
    if len(steps) not in STEPS:
        yield f"{language}: a lesson has {STEPS[0]} to {STEPS[-1]} steps, this one {len(steps)}."
    for number, step in enumerate(steps, start=1):
        for kind, given in ((Step, step), (Teacher, step.get("teacher", {}))):
            known = {one.name: one.default is MISSING for one in fields(kind)}
            yield from (
                f"{language}, step {number}: “{key}” is missing." for key in known if known[key] and key not in given
            )
            yield from (f"{language}, step {number}: “{key}” means nothing here." for key in given if key not in known)


def _unlike(told: Mapping[str, Any]) -> Iterator[str]:
    """Where the languages tell different lessons."""
    ways = {
        language: [(step["tab"], step.get("short", False), step["teacher"]["minutes"]) for step in one["steps"]]
        for language, one in told.items()
        if language in LANGUAGES
    }
    if len({len(way) for way in ways.values()}) > 1:
        yield f"A language lacks a step: {', '.join(f'{language} has {len(way)}' for language, way in ways.items())}."
    elif len({str(way) for way in ways.values()}) > 1:
        yield "The languages differ in the tabs, the minutes or the short form of a step."


def _step(step: Step) -> str:
    if step.tab not in FIELDS:
        return f"there is no tab “{step.tab}” for lessons; there are {', '.join(FIELDS)}."
    if unknown := sorted(step.fields.keys() - FIELDS[step.tab]):
        return f"the tab {step.tab} has no field {', '.join(unknown)}; it has {', '.join(sorted(FIELDS[step.tab]))}."
    if not all(isinstance(value, str) for value in step.fields.values()):
        return "a field's value is a text, in quotes."
    named = [name for key in ("model", "other") for name in step.fields.get(key, "").split(",") if name]
    if missing := [name for name in named if name not in BY_NAME]:
        return f"there is no model {', '.join(missing)}."
    if step.choices and not (
        len(set(step.choices)) == len(step.choices) > 1 and all(0 < len(one) <= LONGEST for one in step.choices)
    ):
        return f"choices are two or more, no two alike, of at most {LONGEST} characters."
    if not kind_of(step.promise):
        return f"the promise is of no kind that can be checked; there are {', '.join(KINDS)}."
    return ""


def _kept(step: Step, language: str) -> str:
    masking = read_file(TABS / "tokenization.json")[language]["masking_example"]
    try:
        found = broken_promise(step, {"masking": masking})
    except PlaygroundError as error:
        return f"the models cannot be asked ({error})."
    except KeyError as error:
        return f"the promise needs {error}, which the step does not give."
    return f"promised is {dict(step.promise)}, but {found}." if found else ""
