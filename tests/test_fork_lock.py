"""A lock that another thread holds while the process forks is free in the child, in every place that has one."""

from __future__ import annotations

import ast
import os
import sys
import threading

import pytest

from app.fork_lock import ForkLock
from tests.conftest import ROOT

# Locks of work that never runs in a fork: trainings, files of a visit, downloads of the main process. The lock of late
# imports is renewed there, and nobody waits for the one of the question whether the Hub answers.
ELSEWHERE = {
    "app/fork_lock.py", "app/late_imports.py", "app/visits.py", "app/tasks/fine_tune/page.py",
    "app/registry/hub_reach.py",
    "app/engine/runtime/visitor_models.py",
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


def test_no_plain_lock_is_held_where_a_model_runs() -> None:
    plain = set()
    for path in (ROOT / "app").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in ("Lock", "RLock"):
                plain.add(path.relative_to(ROOT).as_posix())
    assert plain <= ELSEWHERE, sys.version
