"""A training makes way for short requests, and reports how it ended."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from app.engine.runtime.yielding import NICER, give_way


def priority() -> int:
    """Of the thread that asks."""
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads have priorities of their own on Linux")
def test_the_work_is_nicer_with_its_helpers_and_the_caller_as_before() -> None:
    before, seen = priority(), []

    def work() -> str:
        helper = threading.Thread(target=lambda: seen.append(priority()))
        helper.start()
        helper.join()
        seen.append(priority())
        return "done"

    assert give_way(work) == "done"
    assert seen == [min(19, before + NICER)] * 2 and priority() == before


def test_an_error_is_the_callers() -> None:
    with pytest.raises(ZeroDivisionError):
        give_way(lambda: 1 / 0)
