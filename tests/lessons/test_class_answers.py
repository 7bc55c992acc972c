"""A class's answers: permissions, accepted answers, what is forgotten. Independent of the clock."""

from __future__ import annotations

import pytest

from app.lessons import class_answers
from app.lessons.class_answers import IDLE_SECONDS, LONGEST, NoRoom, Question, Refused, Rooms

FIRST, SECOND = Question("the_blank", 1, "en"), Question("the_blank", 2, "en")


class Clock:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Of the rooms."""
    return Clock()


@pytest.fixture
def rooms(clock: Clock) -> Rooms:
    """None open."""
    return Rooms(clock)


def test_a_code_is_found_however_it_is_typed(rooms: Rooms) -> None:
    room = rooms.open(FIRST)
    assert rooms.find(f" {room.code.lower()} ") is room
    with pytest.raises(NoRoom):
        rooms.find("none")


def test_only_the_teachers_key_opens_the_teachers_side(rooms: Rooms) -> None:
    room = rooms.open(FIRST)
    assert rooms.find(room.code, room.key) is room
    for wrong in ("", rooms.open(FIRST).key, "“"):
        with pytest.raises(NoRoom):
            rooms.find(room.code, wrong)


def test_answers_are_counted_and_an_earlier_one_of_a_phone_is_replaced(rooms: Rooms) -> None:
    room = rooms.open(FIRST)
    for phone, text in (("a", "Children"), ("b", "sons"), ("c", "children"), ("b", " two\u202e \n sons ")):
        rooms.answer(room.code, phone, text, room.number)
    assert room.counted() == [("Children", 2), ("two sons", 1)]


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "\n"])
def test_nothing_is_no_answer(rooms: Rooms, text: str) -> None:
    room = rooms.open(FIRST)
    with pytest.raises(Refused):
        rooms.answer(room.code, "a", text, room.number)


def test_a_long_answer_is_cut_and_late_ones_are_refused(rooms: Rooms) -> None:
    room = rooms.open(FIRST)
    rooms.answer(room.code, "a", "x" * 10_000, room.number)
    assert room.counted() == [("x" * LONGEST, 1)]
    rooms.show(room)
    with pytest.raises(Refused):
        rooms.answer(room.code, "b", "late", room.number)


def test_the_next_question_begins_without_answers_and_the_same_one_does_not(rooms: Rooms) -> None:
    room = rooms.open(FIRST)
    rooms.answer(room.code, "a", "yes", room.number)
    rooms.show(room)
    rooms.ask(room, FIRST)
    assert room.answers and room.shown and room.number == 1
    rooms.ask(room, SECOND)
    assert not room.answers and not room.shown and room.number == 2


def test_there_are_limits(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_answers, "PHONES", 2)
    monkeypatch.setattr(class_answers, "ROOMS", 1)
    room = rooms.open(FIRST)
    for phone in ("a", "b", "a"):
        rooms.answer(room.code, phone, "yes", room.number)
    with pytest.raises(Refused):
        rooms.answer(room.code, "c", "yes", room.number)
    with pytest.raises(NoRoom):
        rooms.open(FIRST)
    rooms.close(room)
    with pytest.raises(NoRoom):
        rooms.find(room.code, room.key)
    rooms.open(SECOND)


def test_a_room_that_its_teacher_left_is_forgotten_though_phones_go_on_asking(rooms: Rooms, clock: Clock) -> None:
    left, taught = rooms.open(FIRST), rooms.open(FIRST)
    for _ in range(3):
        clock.now += IDLE_SECONDS / 2
        rooms.find(taught.code, taught.key)
        if clock.now < IDLE_SECONDS:
            rooms.find(left.code)
    with pytest.raises(NoRoom):
        rooms.find(left.code)
    assert rooms.find(taught.code) is taught


def test_choices_are_counted_in_their_order_and_nothing_else_is_taken(rooms: Rooms) -> None:
    room = rooms.open(Question("the_blank", 4, "en", "Does it?", ("Yes", "No  way", "Perhaps"), "Yes"))
    for phone, text in (("a", "No  way"), ("b", "Yes"), ("c", "No  way")):
        rooms.answer(room.code, phone, text, room.number)
    for other in ("no  way", "", "Paris"):
        with pytest.raises(Refused):
            rooms.answer(room.code, "d", other, room.number)
    assert room.counted() == [("Yes", 1), ("No  way", 2), ("Perhaps", 0)]
