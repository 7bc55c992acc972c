"""Weights that nobody needs just now rest in the file that they were loaded from.

transformers maps a safetensors file instead of reading it: its pages count as memory of this process from their first
use on. Let go, they stay in the system's own cache, which it empties when it needs room, and come back with their next
use: BERT base's pass of 100 ms takes no measurably longer then. Of a second copy's model (`quick_encoder`) the mapped
weights are hardly used again.
"""

from __future__ import annotations

import bisect
import ctypes
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from app.fork_lock import ForkLock

if TYPE_CHECKING:
    from torch import nn

SECONDS_UNTIL_REST = 60.0

HEADER = re.compile(r"^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ \S+ (\d+)")
# What is not changed comes from the file again; of anything else these pages would be lost.
DONTNEED = 4


@dataclass(frozen=True)
class Mapping:
    """A part of this process's memory that shows a file as it is."""

    start: int
    end: int


class Resting:
    """Lets models rest that nobody has asked for in a while; and all others when one more is loaded.

    Args:
        seconds: of the while.
        clock: seconds that only grow.
    """

    def __init__(self, seconds: float = SECONDS_UNTIL_REST, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.clock = seconds, clock
        self._awake: WeakKeyDictionary[nn.Module, float] = WeakKeyDictionary()  # when each was asked for last
        self._guard = ForkLock()
        self._timer: threading.Timer | None = None

    def wake(self, model: nn.Module) -> None:
        """Somebody asks for it."""
        with self._guard:
            self._awake[model] = self.clock()
            self._look_later()

    def rest_unused(self, seconds: float) -> None:
        """Let those rest that nobody has asked for in so many seconds."""
        with self._guard:
            tired = [model for model, asked in self._awake.items() if asked <= self.clock() - seconds]
            for model in tired:
                del self._awake[model]
        if tired:
            rest(tired)

    def _look_later(self) -> None:
        if self._timer is None:
            self._timer = threading.Timer(self.seconds, self._look)
            self._timer.daemon = True
            self._timer.start()

    def _look(self) -> None:
        self.rest_unused(self.seconds)
        with self._guard:
            self._timer = None
            if self._awake:
                self._look_later()


def rest(models: Iterable[nn.Module]) -> int:
    """Let the pages of these models' weights go, where they are mapped from a file and nobody has changed them.

    A model may be in use meanwhile: its pages come back then.

    Returns:
        Bytes that the mappings span; 0 where the system has no such mappings to be asked for.
    """
    if not sys.platform.startswith("linux"):
        return 0
    here = _mapped_files()
    starts = [mapping.start for mapping in here]
    found = set()
    for model in models:
        for weight in model.parameters():
            at = bisect.bisect_right(starts, weight.data_ptr()) - 1
            if at >= 0 and weight.data_ptr() < here[at].end:
                found.add(here[at])
    advise = ctypes.CDLL(None).madvise
    advise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return sum(one.end - one.start for one in found if advise(one.start, one.end - one.start, DONTNEED) == 0)


def _mapped_files() -> list[Mapping]:
    """By address. What was written to a mapping is in none of them: it is this process's own (`Anonymous`)."""
    found: list[Mapping] = []
    mapping, of_file = Mapping(0, 0), False
    for line in Path("/proc/self/smaps").read_text(encoding="utf-8", errors="replace").splitlines():
        if header := HEADER.match(line):
            mapping, of_file = Mapping(int(header[1], 16), int(header[2], 16)), header[3] != "0"
        elif of_file and line.startswith("Anonymous:") and line.split()[1] == "0":
            found.append(mapping)
    return found
