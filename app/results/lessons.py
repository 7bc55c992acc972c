"""A lesson as it is read from its file, in one language. Frozen, plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Teacher:
    """What the teacher has on a second window."""

    minutes: int
    wrong: str  # the usual wrong answer
    next: str  # what to ask next


@dataclass(frozen=True)
class Step:
    """A tab set up, a question, and what it shows."""

    tab: str
    fields: Mapping[str, str]  # by their keys in the tab's links
    question: str
    reveal: str
    teacher: Teacher
    promise: Mapping[str, Any] = field(default_factory=dict)  # what of the reveal is checked against the models
    published: str = ""  # what the published model would show, with its source
    short: bool = False  # also in the short form
    # What a class chooses among, with what would hold for the models if it were right; without any the class writes.
    choices: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    answer: str = ""  # the choice that its teacher calls right; empty: what the promise says

    @property
    def right(self) -> str:
        """The choice that its teacher calls right, else the one that says what the step promises; empty for none."""
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
        """How long all steps take."""
        return sum(step.teacher.minutes for step in self.steps)

    @property
    def short_minutes(self) -> int:
        """How long the short form takes."""
        return sum(step.teacher.minutes for step in self.steps if step.short)

    def numbers(self, short: bool) -> list[int]:
        """The steps of a form."""
        return [number for number, step in enumerate(self.steps, start=1) if step.short or not short]
