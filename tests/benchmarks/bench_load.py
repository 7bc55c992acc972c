"""How long each bundled checkpoint takes to load from disk into memory: the goal is under two seconds.

    python -m tests.benchmarks.bench_load

The first loading in a process also imports the libraries and is shown separately. A checkpoint whose package is
installed is merged with its delta once per machine; that happens before the clock starts.
"""

from __future__ import annotations

import os
import time

os.environ.setdefault("PLAYGROUND_PACKS", "1")

from app.engine.runtime.loader import load
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.checkpoint_rows import CATALOG

REPEATS = 3


def seconds(checkpoint: Checkpoint) -> float:
    """Of one loading."""
    started = time.perf_counter()
    load(checkpoint)
    return time.perf_counter() - started


def main() -> None:
    """Measure and print."""
    here = [checkpoint for checkpoint in CATALOG if checkpoint.source in ("bundled", "package")]
    for number, checkpoint in enumerate(here):
        try:
            first = seconds(checkpoint)
        except PlaygroundError as error:
            print(f"{checkpoint.name:24} not on this machine: {error}")
            continue
        if number == 0:
            print(f"imports and first loading {first:.2f} s")
        times = sorted(seconds(checkpoint) for _ in range(REPEATS))
        print(f"{checkpoint.name:24} {times[0]:.2f} s (slowest of {REPEATS}: {times[-1]:.2f} s)", flush=True)


if __name__ == "__main__":
    main()
