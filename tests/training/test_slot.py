"""The one training slot: order, places, giving up, and a full queue."""

from __future__ import annotations

import threading

import pytest

from app.training.slot import LineIsFull, TrainingSlot


def test_first_come_first_served_with_places() -> None:
    slot, order, places = TrainingSlot(5), [], []
    inside, go = threading.Event(), threading.Event()

    def first() -> None:
        with slot.turn() as held:
            inside.set()
            go.wait(10)
            order.append(("first", held))

    def later(name: str, seen: threading.Event) -> None:
        def on_wait(ahead: int) -> None:
            places.append((name, ahead))
            seen.set()

        with slot.turn(on_wait) as held:
            order.append((name, held))

    threads = [threading.Thread(target=first)]
    threads[0].start()
    inside.wait(10)
    for name in ("second", "third"):
        seen = threading.Event()
        threads.append(threading.Thread(target=later, args=(name, seen)))
        threads[-1].start()
        assert seen.wait(10)
    assert ("second", 1) in places and ("third", 2) in places
    go.set()
    for thread in threads:
        thread.join(10)
    assert order == [("first", True), ("second", True), ("third", True)]
    assert ("third", 0) in places


def test_a_place_can_be_given_up_and_the_line_may_be_full() -> None:
    slot = TrainingSlot(1)
    with slot.turn() as held:
        assert held
        with slot.turn(lambda ahead: ahead > 0) as other:
            assert not other
            with pytest.raises(LineIsFull), slot.turn():
                pass
    with slot.turn() as held:
        assert held


def test_an_error_frees_the_slot() -> None:
    slot = TrainingSlot(0)
    with pytest.raises(ZeroDivisionError), slot.turn():
        raise ZeroDivisionError
    with slot.turn() as held:
        assert held
