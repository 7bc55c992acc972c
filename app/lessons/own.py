"""A lesson that a visitor makes on the page or opens from a file: in memory, and gone with the visit."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from app.engine.visitors.shared import shared
from app.errors import PlaygroundError
from app.lessons.read import lesson_of, lessons
from app.lessons.shape import LANGUAGES, Fault, shape_of
from app.results.lessons import Lesson
from app.visits import Visits, visits

# Its name in links; no lesson of the playground has it.
SLUG = "own"
MOST_BYTES, MOST_LESSONS = 200_000, 500
Told = dict[str, Any]


class OwnLessons:
    """The lessons, one per visit, whichever page process it is at: see `app.engine.visitors.shared`.

    Args:
        owners: the visits, which drop a lesson when they end.
    """

    def __init__(self, owners: Visits | None = None) -> None:
        self._owners, self._guard = owners, threading.Lock()
        self._told: dict[str, Told] = {}

    def get(self, visit: str) -> Told | None:
        """The lesson of a visit, as in its file; None if there is none."""
        with self._guard:
            told = self._told.get(visit)
        if told is not None:
            (self._owners or visits()).touch(visit)
        return told

    def keep(self, visit: str, told: Told) -> None:
        """Keep a lesson, replacing the visit's earlier one.

        Raises:
            PlaygroundError: `bad_value.cookies`: nothing distinguishes this visit from others; `too_long.file`;
                `busy.lessons`: there are already as many as allowed.
        """
        if not visit:
            raise PlaygroundError("bad_value", "cookies")
        size = len(as_file(told))
        if size > MOST_BYTES:
            raise PlaygroundError("too_long", "file", count=size, limit=MOST_BYTES)

        def take() -> None:
            with self._guard:
                if visit not in self._told and len(self._told) >= MOST_LESSONS:
                    raise PlaygroundError("busy", "lessons")
                self._told[visit] = told

        (self._owners or visits()).get(visit).own("lesson", lambda: self.forget(visit), take)

    def wish(self, visit: str, language: str, wish: Mapping[str, Any]) -> list[Fault]:
        """Do what a page requests: `{"open": file}`, `{"forget": true}`, or a change (see `changed`).

        Returns:
            Why it was not done; empty if it was.

        Raises:
            PlaygroundError: see `keep`.
        """
        if wish.get("forget"):
            self.forget(visit)
            return []
        if "open" in wish:
            told, found = from_file(str(wish["open"]))
        else:
            told = changed(self.get(visit), language, wish)
            found = [Fault("no_lesson")] if told is None else [*shape_of(told)]
        if told is not None and not found:
            self.keep(visit, told)
        return found

    def forget(self, visit: str) -> None:
        with self._guard:
            self._told.pop(visit, None)


def own_lessons() -> OwnLessons:
    """Those that this process finds."""
    return shared(OwnLessons)


def lesson_by(slug: object, language: str, visit: str, own: OwnLessons | None = None) -> Lesson | None:
    """A lesson by its name in links: one of the playground's, or the visit's own.

    Args:
        slug: as it was sent.
        language: the wanted one; an own lesson without it comes in the language it has.
        visit: the visitor's.
        own: all visits' own ones, if not those that this process finds.
    """
    if not isinstance(slug, str):
        return None
    if slug != SLUG:
        return lessons(language).get(slug)
    told = (own or own_lessons()).get(visit)
    return told and lesson_of(SLUG, told[spoken_in(told, language)])


def spoken_in(told: Mapping[str, Any], language: str) -> str:
    """The language to show a lesson in: the wanted one, else the first it has."""
    return language if language in told else next(one for one in LANGUAGES if one in told)


def as_file(told: Mapping[str, Any]) -> bytes:
    """The content of a lesson's file."""
    return (json.dumps(told, ensure_ascii=False, indent=2) + "\n").encode()


def from_file(content: str) -> tuple[Told | None, list[Fault]]:
    """A lesson from its file, or the faults that keep the file from being one."""
    try:
        told = json.loads(content)
        json.dumps(told, ensure_ascii=False).encode()  # lone surrogates cannot be encoded
    except (ValueError, RecursionError):
        return None, [Fault("no_json", values={"where": ""})]
    found = [*shape_of(told)]
    return (None if found else told), found


def changed(told: Told | None, language: str, wish: Mapping[str, Any]) -> Told | None:
    """The lesson with a requested change; None if the request is not a possible change.

    Args:
        told: the lesson; adding a step starts one.
        language: of the page.
        wish: `{"add": tab, "fields": {...}}`; `{"edit": key, "value": ...}` of the lesson or, with `"step": 0`, of a
            step; `{"move": 0, "by": 1}`; `{"remove": 0}`. Steps are counted from 0.
    """
    if told is None:
        told = {language: {"title": "", "about": "", "steps": []}} if "add" in wish else {}
    if not told:
        return None
    spoken = spoken_in(told, language)
    lesson, steps = told[spoken], [*told[spoken]["steps"]]
    match wish:
        case {"add": tab, "fields": fields}:
            steps.append({"tab": tab, "fields": fields, **UNWRITTEN})
        case {"edit": str(key), "value": value, "step": int(at)} if 0 <= at < len(steps):
            steps[at] = _edited(steps[at], key, value)
        case {"edit": ("title" | "about") as key, "value": value}:
            lesson = {**lesson, key: value}
        case {"move": int(at), "by": int(by)} if 0 <= at < len(steps) and 0 <= at + by < len(steps):
            steps.insert(at + by, steps.pop(at))
        case {"remove": int(at)} if 0 <= at < len(steps):
            del steps[at]
        case _:
            return None
    return {**told, spoken: {**lesson, "steps": steps}}


# A line that begins with one of these is the right choice.
MARKS = "*＊✓"
# The parts of a new step that are still to be written.
UNWRITTEN: Mapping[str, Any] = {"question": "", "reveal": "", "teacher": {"minutes": 5, "wrong": "", "next": ""}}


def _edited(step: Mapping[str, Any], key: str, value: object) -> Told:
    if key in UNWRITTEN["teacher"]:
        return {**step, "teacher": {**step["teacher"], key: value}}
    if key == "choices":
        lines = [line.strip() for line in value.splitlines()] if isinstance(value, str) else []
        texts = {text: line != text for line in lines if (text := line.lstrip(MARKS).strip())}
        kept = step.get("choices", {})  # an unchanged choice keeps its promise
        right = next((text for text, marked in texts.items() if marked), "")
        return {**step, key: {text: kept.get(text, {}) for text in texts}, "answer": right}
    return {**step, key: value}
