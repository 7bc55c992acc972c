"""Reads the lessons from their files: one file per lesson, with all languages in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from app.results.lessons import Lesson, Step, Teacher
from app.settings import ROOT

FOLDER = ROOT / "assets" / "lessons"


@cache
def lessons(language: str, folder: Path = FOLDER) -> Mapping[str, Lesson]:
    """All lessons in a language by slug, in their order."""
    files = {path.stem: read_file(path) for path in sorted(folder.glob("*.json"))}
    in_order = sorted(files, key=lambda slug: files[slug]["order"])
    return {slug: lesson_of(slug, files[slug][language]) for slug in in_order}


def read_file(path: Path) -> dict[str, Any]:
    """The content of a file."""
    return json.loads(path.read_text(encoding="utf-8"))


def lesson_of(slug: str, told: Mapping[str, Any]) -> Lesson:
    """A lesson in one language.

    Raises:
        KeyError, TypeError: a key is missing or unknown.
    """
    return Lesson(slug, told["title"], told["about"], tuple(map(_step_of, told["steps"])))


def _step_of(told: Mapping[str, Any]) -> Step:
    return Step(**{**told, "teacher": Teacher(**told["teacher"])})
