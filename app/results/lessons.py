"""A lesson read from its file, in one language. Frozen, plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Teacher:
    """Notes for the teacher's second window."""

    minutes: int
    wrong: str  # the usual wrong answer
    next: str  # what to ask next


@dataclass(frozen=True)
class Step:
    """A tab with its fields set, a question, and what it reveals."""

    tab: str
    fields: Mapping[str, str]  # by their keys in the tab's links
    question: str
    reveal: str
    teacher: Teacher
    promise: Mapping[str, Any] = field(default_factory=dict)  # the part of the reveal checked against the models
    published: str = ""  # what the published model would show, with its source
    short: bool = False  # also in the short form
    # A class's choices, each with what the models would show if it were right; if empty, the class writes freely.
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    answer: str = ""  # the choice that its teacher calls right; if empty, the promise decides

    @property
    def right(self) -> str:
        """The choice that its teacher calls right, else the one that equals the step's promise; empty for none."""
        if self.answer in self.choices:
            return self.answer
        return next((text for text, promise in self.choices.items() if promise and promise == self.promise), "")


@dataclass(frozen=True)
class Lesson:
    """Steps in the order in which they are taught; numbered from 1 in links."""

    slug: str
    title: str
    about: str
    steps: tuple[Step, ...]

    @property
    def minutes(self) -> int:
        """Duration of all steps."""
        return sum(step.teacher.minutes for step in self.steps)

    @property
    def short_minutes(self) -> int:
        """Duration of the short form."""
        return sum(step.teacher.minutes for step in self.steps if step.short)

    def numbers(self, short: bool) -> list[int]:
        """The numbers of the steps in a form."""
        return [number for number, step in enumerate(self.steps, start=1) if step.short or not short]
