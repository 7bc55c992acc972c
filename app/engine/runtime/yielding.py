"""Work that gives way: in a thread of its own that the system lets run after the others where the cores are few."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

Result = TypeVar("Result")

# A thread of priority 0 gets three times the time of one that is this much nicer; alone, this one gets all.
NICER = 5


def give_way(work: Callable[[], Result]) -> Result:
    """The result of the work, or its error; threads that help with it (OpenMP) give way as well.

    On other systems than Linux a priority is the whole process's, and nothing changes.
    """
    done: Future[Result] = Future()
    context = copy_context()

    def run() -> None:
        try:
            _be_nicer()
            done.set_result(context.run(work))
        except BaseException as error:  # raised where it is waited for
            done.set_exception(error)

    threading.Thread(target=run, name="gives way", daemon=True).start()
    return done.result()


def _be_nicer() -> None:
    if sys.platform.startswith("linux"):
        me = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, me, min(19, os.getpriority(os.PRIO_PROCESS, me) + NICER))
