"""A class's answers to a lesson's question: in memory, without names, and gone with the lesson.

The teacher's page opens a room, and its code finds it. A phone gives one answer per question and may change it until
the answers are shown. Knows no server and no page.
"""

from __future__ import annotations

import secrets
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.engine.visitors.shared import shared
from app.results.lessons import Lesson

# Without letters and digits that are easily confused when a code is read from a screen.
SIGNS = "ACDEFGHJKLMNPQRTUVWXY34679"
CODE_LENGTH = 4
ROOMS, PHONES = 100, 400
LONGEST = 60  # characters of an answer
IDLE_SECONDS = 30 * 60.0  # without a request from the teacher's page


class NoRoom(Exception):
    """No room has that code, no more may be opened, or the key is not the teacher's."""


class Refused(Exception):
    """An answer that is not accepted: empty, after the answers were shown, or from one phone too many."""


@dataclass(frozen=True)
class Question:
    """The current step of a lesson, and what phones show of it.

    Attributes:
        choices: if empty, phones write freely.
        right: the choice to mark when the answers are shown; empty for none.
    """

    lesson: str
    step: int
    language: str
    text: str = ""
    choices: tuple[str, ...] = ()
    right: str = ""


@dataclass
class Room:
    """One class at one question."""

    code: str
    key: str  # the teacher's
    question: Question
    number: int = 1  # of the question; tells a phone that there is a new one
    shown: bool = False
    used: float = 0.0
    answers: dict[str, str] = field(default_factory=dict)  # by phone

    def counted(self) -> list[tuple[str, int]]:
        """Answers with their counts: choices in their order; free answers by frequency, ignoring case."""
        if self.question.choices:
            chosen = Counter(self.answers.values())
            return [(choice, chosen[choice]) for choice in self.question.choices]
        counts = Counter(answer.casefold() for answer in self.answers.values())
        first = {answer.casefold(): answer for answer in reversed(self.answers.values())}
        return [(first[folded], count) for folded, count in counts.most_common()]


class Rooms:
    """All rooms. Phones and their teacher may be at different page processes: see `app.engine.visitors.shared`.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._guard = clock, threading.Lock()
        self._rooms: dict[str, Room] = {}

    def open(self, question: Question) -> Room:
        """A new room.

        Raises:
            NoRoom: the number of rooms is at its limit.
        """
        with self._guard:
            self._sweep()
            if len(self._rooms) >= ROOMS:
                raise NoRoom
            while (code := "".join(secrets.choice(SIGNS) for _ in range(CODE_LENGTH))) in self._rooms:
                pass
            room = Room(code, secrets.token_urlsafe(16), question, used=self._clock())
            self._rooms[code] = room
            return room

    def find(self, code: str, key: str | None = None) -> Room:
        """The room of a code as typed by a visitor; with a key, only its teacher's.

        Raises:
            NoRoom: there is none, or the key belongs to another room.
        """
        with self._guard:
            self._sweep()
            room = self._rooms.get(code.strip().upper())
            if room is None or (key is not None and not secrets.compare_digest(room.key.encode(), key.encode())):
                raise NoRoom
            if key is not None:
                room.used = self._clock()
            return room

    def teach(self, told: Mapping[str, Any], question: Question | None) -> Room | None:
        """Do what a teacher's page requests: open a room, take its room to another question, show, close.

        Args:
            told: `code` and `key` of the room, if the page has one; `show` or `close`.
            question: the lesson's current question.

        Returns:
            The room; None if it is gone, or if there is no question to open one for.

        Raises:
            NoRoom: see `open` and `find`.
        """
        if not told.get("code"):
            return self.open(question) if question else None
        room = self.find(str(told["code"]), str(told.get("key")))
        if told.get("close"):
            self.close(room)
            return None
        if question is not None:
            self.ask(room, question)
        if told.get("show"):
            self.show(room)
        return room

    def ask(self, room: Room, question: Question) -> None:
        """Go to a question; the answers to the previous one are dropped."""
        with self._guard:
            if question != room.question:
                room.question, room.number, room.shown, room.answers = question, room.number + 1, False, {}

    def asked(self, code: str) -> Room:
        """What phones may know of a room: where the class stands.

        Raises:
            NoRoom: see `find`.
        """
        return replace(self.find(code), key="", answers={})

    def answer(self, code: str, phone: str, text: str, number: object) -> None:
        """Take a phone's answer, in place of its earlier one.

        Args:
            code: of the room.
            phone: a word by which it is known; empty for one that keeps no cookies.
            text: its answer.
            number: of the question that it answers.

        Raises:
            NoRoom: see `find`.
            Refused: it is nobody's, empty, none of the choices, to another question, or comes after the answers were
                shown; or phones are too many.
        """
        room = self.find(code)
        choices = room.question.choices
        said = text if choices else _plain(text)
        with self._guard:
            known = said in choices if choices else bool(said)
            late = room.shown or room.number != number
            if not phone or not known or late or (phone not in room.answers and len(room.answers) >= PHONES):
                raise Refused
            room.answers[phone] = said

    def show(self, room: Room) -> None:
        """Show the answers; no more are accepted."""
        with self._guard:
            room.shown = True

    def close(self, room: Room) -> None:
        """End the lesson; everything in the room is dropped."""
        with self._guard:
            self._rooms.pop(room.code, None)

    def _sweep(self) -> None:
        oldest = self._clock() - IDLE_SECONDS
        for code in [code for code, room in self._rooms.items() if room.used < oldest]:
            del self._rooms[code]


def rooms() -> Rooms:
    """Those that this process finds."""
    return shared(Rooms)


def _plain(text: str) -> str:
    """A text on one line, without invisible characters, cut if it is too long."""
    seen = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in text[: 4 * LONGEST])
    return " ".join(seen.split())[:LONGEST]


def question_at(lesson: Lesson | None, number: object, language: str) -> Question | None:
    """The question of the step that a page names, from "1"; None if there is none."""
    at = int(number) if isinstance(number, str) and number.isdecimal() and len(number) < 3 else 0
    if lesson is None or not 1 <= at <= len(lesson.steps):
        return None
    step = lesson.steps[at - 1]
    return Question(lesson.slug, at, language, step.question, tuple(step.choices), step.right)
