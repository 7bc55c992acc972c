"""Requests that come while a model is busy share its next pass, and each gets the answer it would get alone."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch

from app.engine.runtime.batcher import LATER_PER_BATCH, MOST_BATCHES, Batcher
from app.engine.runtime.device import RunLock
from app.errors import PlaygroundError
from tests.checkpoints import SENTENCES

TEXTS = [" ".join(SENTENCES[0].split()[:count]) for count in (3, 5, 8, 8, 12)] + SENTENCES[1:5]


class Watched:
    """A run that notes its batches; the first one waits until it is let go."""

    def __init__(self, answer: Callable[[str], object] = str.upper, holds: bool = True) -> None:
        self.answer, self.batches = answer, []
        self.begun, self.go = threading.Event(), threading.Event()
        if not holds:
            self.go.set()

    def __call__(self, rows: list[str]) -> list[object]:
        self.batches.append(list(rows))
        self.begun.set()
        assert self.go.wait(60)
        return [self.answer(row) for row in rows]

    def batcher(self) -> Batcher[str, object]:
        """One that runs this."""
        return Batcher(self, RunLock(), len, str)


def at_once(asks: Sequence[Callable[[], Any]]) -> tuple[list[threading.Thread], list[Any]]:
    """Each in a thread of its own, begun; and where their answers, or errors, will stand."""
    found: list[Any] = [None] * len(asks)

    def run(place: int) -> None:
        try:
            found[place] = asks[place]()
        except BaseException as error:
            found[place] = error

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(asks))]
    for thread in threads:
        thread.start()
    return threads, found


def gathered(batcher: Batcher, count: int) -> None:
    """Return when so many requests are waiting or running."""
    deadline = time.monotonic() + 60
    while len(batcher._waiting) < count:
        assert time.monotonic() < deadline
        time.sleep(0.001)


def behind_the_first(watched: Watched, rows: Sequence[Sequence[str]]) -> list[Any]:
    """Ask the first; once it is running ask the others, each after the one before; then let it go."""
    batcher = watched.batcher()
    begun = [at_once([lambda: batcher.answers(rows[0])])]
    assert watched.begun.wait(60)
    for number, row in enumerate(rows[1:], start=2):
        begun.append(at_once([lambda row=row: batcher.answers(row)]))
        gathered(batcher, number)
    watched.go.set()
    for threads, _ in begun:
        threads[0].join(60)
    assert not batcher._waiting and not batcher._busy
    return [found[0] for _, found in begun]


def test_who_finds_the_model_idle_runs_at_once() -> None:
    watched = Watched(holds=False)
    batcher = watched.batcher()
    assert batcher.answers(["a"]) == ["A"] and batcher.answers(["b", "c", "b"]) == ["B", "C", "B"]
    assert watched.batches == [["a"], ["b", "c"]]


def test_those_who_come_meanwhile_share_the_next_pass_in_their_order() -> None:
    watched = Watched()
    found = behind_the_first(watched, [["a"], ["b", "c"], ["d"], ["e"]])
    assert found == [["A"], ["B", "C"], ["D"], ["E"]]
    assert watched.batches == [["a"], ["b", "c", "d", "e"]]


def test_equal_rows_are_computed_once_but_never_join_a_running_pass() -> None:
    watched = Watched()
    found = behind_the_first(watched, [["same"], ["same"], ["same"], ["other", "same"]])
    assert found == [["SAME"], ["SAME"], ["SAME"], ["OTHER", "SAME"]]
    assert watched.batches == [["same"], ["same", "other"]]


def test_like_lengths_go_together_and_no_batch_is_mostly_padding() -> None:
    watched = Watched()
    short, long = "s" * 10, "l" * 500
    behind_the_first(watched, [["first"], [short], [long], ["t" * 12], ["m" * 490]])
    assert watched.batches == [["first"], [short, "t" * 12], [long, "m" * 490]]


def test_no_batch_is_larger_than_one_request_could_make_it() -> None:
    watched = Watched()
    rows = [["first"], *([letter * 500] for letter in "abcdefgh")]
    assert behind_the_first(watched, rows) == [[row[0].upper()] for row in rows]
    assert [len(batch) for batch in watched.batches] == [1, 4, 4]


def test_a_long_request_lets_a_later_short_one_go_ahead() -> None:
    watched = Watched()
    batcher = watched.batcher()
    ends: list[str] = []

    def ask(text: str, had: int) -> None:
        batcher.answers([text], had)
        ends.append(text[0])

    # Too long to go together, so that there is an order.
    first, rest, later = "a" * 1500, "b" * 1501, "c" * 1502
    begun = [at_once([lambda: ask(first, 0)])[0]]
    assert watched.begun.wait(60)
    for count, (text, had) in enumerate([(rest, 9), (later, 0)], start=2):
        begun.append(at_once([lambda text=text, had=had: ask(text, had)])[0])
        gathered(batcher, count)
    watched.go.set()
    for (thread,) in begun:
        thread.join(60)
    assert watched.batches == [[first], [later], [rest]] and sorted(ends) == ["a", "b", "c"]
    assert not batcher._waiting and not batcher._busy


def test_a_long_request_comes_to_its_turn_however_many_come_later() -> None:
    watched = Watched()
    batcher = watched.batcher()
    most = LATER_PER_BATCH * MOST_BATCHES
    begun = [at_once([lambda: batcher.answers(["a" * 1500])])[0]]
    assert watched.begun.wait(60)
    begun.append(at_once([lambda: batcher.answers(["b" * 1500], had=10**6)])[0])
    gathered(batcher, 2)
    for number in range(most + 5):
        begun.append(at_once([lambda number=number: batcher.answers([f"{number:04}" + "c" * 1500])])[0])
        gathered(batcher, number + 3)
    watched.go.set()
    for (thread,) in begun:
        thread.join(60)
    place = [batch[0][0] for batch in watched.batches].index("b")
    assert most <= place <= most + 1


def test_a_failing_input_fails_alone() -> None:
    def answer(row: str) -> str:
        if row == "bad":
            raise PlaygroundError("bad_value", "text", field="text")
        return row.upper()

    found = behind_the_first(Watched(answer), [["a"], ["b"], ["bad"], ["c"]])
    assert [found[0], found[1], found[3]] == [["A"], ["B"], ["C"]]
    assert isinstance(found[2], PlaygroundError)


def test_too_much_for_the_memory_together_is_tried_one_by_one() -> None:
    watched = Watched()
    run = watched.batcher()

    def answer(rows: list[str]) -> list[object]:
        if len(rows) > 1:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return watched(rows)

    run._run = answer
    watched.batcher = lambda: run
    assert behind_the_first(watched, [["a"], ["b"], ["c"]]) == [["A"], ["B"], ["C"]]


def test_a_stop_of_the_program_reaches_all_who_wait_for_the_pass() -> None:
    def answer(row: str) -> str:
        if row == "stop":
            raise KeyboardInterrupt
        return row.upper()

    found = behind_the_first(Watched(answer), [["a"], ["b"], ["stop"]])
    assert found[0] == ["A"] and [type(error) for error in found[1:]] == [KeyboardInterrupt] * 2


def test_many_threads_get_their_own_answers() -> None:
    mixed = random.Random(0)
    watched = Watched(holds=False)
    batcher = watched.batcher()
    rows = [[chr(97 + mixed.randrange(26)) * mixed.randrange(1, 700)] for _ in range(200)]
    threads, found = at_once([lambda row=row: batcher.answers(row) for row in rows])
    for thread in threads:
        thread.join(60)
    assert found == [[row[0].upper()] for row in rows]
