"""Notes the models' answers to a lesson's steps; anyone who opens it elsewhere is told where theirs differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from app.errors import PlaygroundError
from app.lessons.check import faults_in, is_asked
from app.lessons.own import SLUG, OwnLessons
from app.lessons.read import lesson_of
from app.lessons.shape import LANGUAGES, Fault
from app.results.classification import ONE
from app.results.lessons import Step
from app.tasks.classification import classify
from app.tasks.fill_mask import fill_mask
from app.tasks.prompting import next_token
from app.tasks.sentence_pair import sentence_pair
from app.tasks.surprise.score import score

Noted = dict[tuple[str, str], dict[str, Any]]


def check_own(own: OwnLessons, visit: str) -> tuple[list[Fault], int, int]:
    """Check a visit's own lesson, and add the models' answers to steps that have no promise yet.

    Args:
        own: all visits' lessons; this one may be changed meanwhile.
        visit: whose lesson to check.

    Returns:
        The faults, the number of steps that the models were asked about, and the number of all steps.
    """
    told = own.get(visit)
    if told is None:
        return [Fault("none")], 0, 0
    found = noted(told)
    if latest := own.get(visit):
        told = with_notes(latest, found)
        own.keep(visit, told)
    steps = [step for one in _spoken(told) for step in one["steps"]]
    wrong = [*faults_in(told, SLUG, own=True)]
    return wrong, sum(is_asked(step.get("promise", {})) for step in steps), len(steps)


def noted(told: Mapping[str, Any]) -> Noted:
    """The models' answers to those steps of a lesson that promise nothing yet, by tab and fields."""
    steps = [step for one in _spoken(told) for step in lesson_of("", one).steps if not step.promise]
    return {_place(step.tab, step.fields): observed(step) for step in steps}


def with_notes(told: Mapping[str, Any], found: Noted) -> dict[str, Any]:
    """The lesson, which may have been changed meanwhile, with these answers as promises."""

    def with_note(step: dict[str, Any]) -> dict[str, Any]:
        promise = found.get(_place(step["tab"], step["fields"]), {})
        return {**step, "promise": promise} if promise and not step.get("promise") else step

    def with_all(one: Mapping[str, Any]) -> dict[str, Any]:
        return {**one, "steps": [with_note(step) for step in one["steps"]]}

    return {key: with_all(one) if key in LANGUAGES else one for key, one in told.items()}


def _spoken(told: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [told[language] for language in LANGUAGES if language in told]


def _place(tab: str, fields: Mapping[str, str]) -> tuple[str, str]:
    return tab, json.dumps(fields, sort_keys=True)


def observed(step: Step) -> dict[str, Any]:
    """The answer of the step's first model, as a promise; empty if the tab's answer is neither a word nor a label, or
    if the model cannot be asked."""
    fields, model = step.fields, step.fields.get("model", "").split(",")[0]
    try:
        found = _answer(step.tab, fields, model)
    except (PlaygroundError, KeyError):
        return {}
    return {**found, "of": model} if found and model else found


def _answer(tab: str, fields: Mapping[str, str], model: str) -> dict[str, Any]:
    if tab == "fill_mask":
        masks = fill_mask(fields["text"], model, 1).masks
        return {"first": _word(masks[0].candidates[0].token)}
    if tab == "prompting":
        return {"first": _word(next_token(fields["prompt"], model, 1).candidates[0].token)}
    if tab == "sentence_pair":
        return {"label": _most(sentence_pair(fields["first"], fields["second"], model).labels)}
    if tab == "classification" and "\n" not in fields["text"].strip() and fields.get("pairs") != "true":
        result = classify([fields["text"]], model).results[0]
        return {"label": _most(result.labels)} if result.kind == ONE else {}
    if tab == "surprise" and fields["second"].strip():
        first, second = (score(fields[key], model).log_probability for key in ("first", "second"))
        return {"stranger": "second" if second < first else "first"}
    return {}


def _word(token: str) -> str:
    return token.strip().casefold()


def _most(labels: Any) -> str:
    return max(labels, key=lambda one: one.probability).label
