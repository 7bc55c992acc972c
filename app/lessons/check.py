"""Finds what is wrong with a lesson, as faults that have sentences in `lesson_faults.json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from app.errors import PlaygroundError
from app.lessons.class_answers import LONGEST
from app.lessons.promises import KINDS, broken_promise, kind_of
from app.lessons.read import lesson_of, read_file
from app.lessons.shape import LANGUAGES, Fault, shape_of
from app.registry.lookup import BY_NAME
from app.results.lessons import Step
from app.settings import ROOT

TABS = ROOT / "assets" / "tabs"
# What a step may set in a tab: the keys of its links, and `layer` if a plot can begin with one. A test compares them.
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
# Limits in minutes for a lesson of the playground and for its short form.
MOST_MINUTES, FEWEST_MINUTES, MOST_SHORT = 45, 30, 15
STEPS = range(5, 9)
# The promises that are tried on the models for a visitor's own lesson; the others take long or train.
QUICK = frozenset({"first", "not_first", "label", "stranger"})


def faults(path: Path, promises: bool = True, own: bool = False) -> Iterator[Fault]:
    """The faults of a file, if any.

    Args:
        path: of the lesson.
        promises: ask the models as well, which takes a while.
        own: a visitor's own lesson, with fewer requirements: one language is enough, of any length.
    """
    try:
        told = read_file(path)
    except (ValueError, RecursionError) as error:
        where = f": {error}" if isinstance(error, JSONDecodeError) else ""
        yield Fault("no_json", values={"where": where})
        return
    yield from faults_in(told, path.stem, promises, own)


def faults_in(told: Mapping[str, Any], slug: str, promises: bool = True, own: bool = False) -> Iterator[Fault]:
    """The same for the content of a file."""
    found = [*shape_of(told)]
    spoken = [language for language in LANGUAGES if isinstance(told, dict) and language in told]
    if not own and isinstance(told, dict):
        found += _of_the_set(told)
    yield from found
    if found:
        return
    if not own:
        yield from _unlike(told)
    for language in spoken:
        lesson = lesson_of(slug, told[language])
        if not lesson.title.strip():
            yield Fault("empty_title", language)
        if not lesson.steps:
            yield Fault("no_steps", language)
        minutes, short = lesson.minutes, lesson.short_minutes
        if not own and not (FEWEST_MINUTES <= minutes <= MOST_MINUTES and 0 < short <= MOST_SHORT):
            yield Fault("minutes", language, values={"minutes": minutes, "short": short})
        for number, step in enumerate(lesson.steps, start=1):
            key, values = _step(step, own) or (_kept(step, language, own) if promises else None) or ("", {})
            if key:
                yield Fault(key, language, number, values)


Said = tuple[str, Mapping[str, object]]


def _of_the_set(told: Mapping[str, Any]) -> Iterator[Fault]:
    """Additional requirements for the playground's lessons."""
    if not isinstance(told.get("order"), int):
        yield Fault("order")
    yield from (Fault("no_language", values={"language": one}) for one in LANGUAGES if one not in told)
    for language in LANGUAGES:
        steps = told.get(language, {}).get("steps", [])
        if len(steps) not in STEPS:
            yield Fault("count", language, values={"low": STEPS[0], "high": STEPS[-1], "count": len(steps)})


def _unlike(told: Mapping[str, Any]) -> Iterator[Fault]:
    """Differences between the languages of a lesson."""
    ways = {
        language: [(step["tab"], step.get("short", False), step["teacher"]["minutes"]) for step in one["steps"]]
        for language, one in told.items()
        if language in LANGUAGES
    }
    if len({len(way) for way in ways.values()}) > 1:
        counts = ", ".join(f"{language} has {len(way)}" for language, way in ways.items())
        yield Fault("lacks_step", values={"counts": counts})
    elif len({str(way) for way in ways.values()}) > 1:
        yield Fault("unlike")


def _step(step: Step, own: bool) -> Said | None:
    """What is wrong with a step, before asking the models."""
    if step.tab not in FIELDS:
        return "no_tab", {"tab": step.tab[:40], "tabs": ", ".join(FIELDS)}
    if unknown := sorted(step.fields.keys() - FIELDS[step.tab]):
        return "no_field", {"tab": step.tab, "field": ", ".join(unknown), "fields": ", ".join(sorted(FIELDS[step.tab]))}
    named = [name for key in ("model", "other") for name in step.fields.get(key, "").split(",") if name]
    if missing := [name for name in named if name not in BY_NAME]:
        return "no_model", {"model": ", ".join(missing)[:80]}
    if not step.question.strip():
        return "empty_question", {}
    if step.choices and not (len(step.choices) > 1 and all(0 < len(one) <= LONGEST for one in step.choices)):
        return "choices", {"longest": LONGEST}
    if step.answer and step.answer not in step.choices:
        return "answer", {"answer": step.answer[:80]}
    promised = [promise for promise in step.choices.values() if promise]
    if (promised or not own) and step.choices and promised.count(step.promise) != 1:
        return "no_right", {}
    of = step.promise.get("of", "")
    if step.promise and not (kind_of(step.promise) and isinstance(of, str) and (not of or of in BY_NAME)):
        return "kind", {"kinds": ", ".join(KINDS)}
    return None if step.promise or own else ("kind", {"kinds": ", ".join(KINDS)})


def is_asked(promise: Mapping[str, Any]) -> bool:
    """Whether the models are asked about it for a visitor's own lesson."""
    return kind_of(promise) in QUICK


def _kept(step: Step, language: str, own: bool) -> Said | None:
    """Faults where the models answer differently than the step says, or as another of its choices says."""
    if own and not is_asked(step.promise):
        return None
    masking = read_file(TABS / "tokenization.json")[language]["masking_example"]
    others = [] if own else [(text, promise) for text, promise in step.choices.items() if promise != step.promise]
    try:
        if found := broken_promise(step, {"masking": masking}):
            if own:
                return "changed", {"promise": ", ".join(f"{key}: {value}" for key, value in step.promise.items())}
            return "broken", {"promise": dict(step.promise), "found": found}
        for text, promise in others:
            if not broken_promise(replace(step, promise=promise), {"masking": masking}):
                return "also_right", {"choice": text}
    except PlaygroundError as error:
        return ("unasked", {}) if own else ("not_asked", {"error": error})
    except KeyError as error:
        return ("unasked", {}) if own else ("lacks_field", {"field": error})
    return None
