"""A lock held by another thread during a fork is free in the child, everywhere such a lock is used."""

from __future__ import annotations

import ast
import os
import sys
import threading
import time

import pytest

from app.fork_lock import ForkLock, TurnLock
from tests.conftest import ROOT

# Locks of work that never runs in a fork: trainings, files of a visit, downloads of the main process. The lock of late
# imports is renewed there, and nobody waits for the one of the question whether the Hub answers. Of the page's own, one
# is held while a first answer is made by its handler, one while a class's answers are counted, and one while a lesson
# of one's own is changed. A cluster is asked by the page's process alone.
ELSEWHERE = {
    "app/fork_lock.py", "app/late_imports.py", "app/visits.py", "app/tasks/fine_tune/runs.py",
    "app/tasks/fine_tune/ended.py",
    "app/registry/hub_reach.py",
    "app/engine/visitors/kept.py",
    "app/ui/first_answers.py", "app/lessons/class_answers.py", "app/lessons/own.py",
    "app/engine/ray/calls.py", "app/engine/ray/groups.py", "app/engine/ray/families.py", "app/engine/ray/remote.py",
    "app/engine/ray/visitors.py",
}  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_lock_that_another_thread_holds_is_free_in_a_fork() -> None:
    lock, held, end = ForkLock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock:
            held.set()
            end.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        os._exit(0 if lock._lock.acquire(timeout=5) else 1)
    _, status = os.waitpid(child, 0)
    end.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 0
    with lock:
        pass


def test_a_turn_lock_is_given_in_the_order_of_asking() -> None:
    lock, order, threads = TurnLock(), [], []

    def take(number: int) -> None:
        with lock:
            order.append(number)

    lock.acquire()
    for number in range(20):
        threads.append(threading.Thread(target=take, args=[number]))
        threads[-1].start()
        while len(lock._line) <= number:
            time.sleep(0.001)
    lock.release()
    with lock:  # whoever gave it back and wants it again stands behind them
        order.append("again")
    for thread in threads:
        thread.join(60)
    assert order == [*range(20), "again"]
    with lock:
        pass


def test_a_turn_lock_is_free_when_it_is_renewed() -> None:
    lock = TurnLock()
    lock.acquire()
    waiting = threading.Thread(target=lock.acquire, daemon=True)
    waiting.start()
    while not lock._line:
        time.sleep(0.001)
    lock.renew()
    assert not lock._line
    with lock:
        pass


def test_no_plain_lock_is_held_where_a_model_runs() -> None:
    plain = set()
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("Lock", "RLock"):
                plain.add(path.relative_to(ROOT).as_posix())
    assert plain <= ELSEWHERE, sys.version
