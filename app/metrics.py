"""The server's counts of itself: how often, how long, how full.

Only numbers. No text, visit or address is ever a label, so anybody may read `/metrics`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue

from prometheus_client import Counter, Gauge, Histogram

from app.errors import PlaygroundError

REQUESTS = Counter("playground_requests", "Requests by task, and how they ended", ["task", "outcome"])
SECONDS = Histogram(
    "playground_request_seconds",
    "How long requests took, waiting for a model included",
    ["task"],
    buckets=(0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300),
)
RUNNING = Gauge("playground_running", "Requests that are worked on", ["task"])
WAITING = Gauge("playground_waiting", "Requests that wait for a model that is busy")
BATCH = Histogram("playground_batch_requests", "Requests that shared a pass of a model", buckets=(1, 2, 4, 8, 16, 32))
CACHE = Counter("playground_cache", "Answers looked for in the caches", ["outcome"])
CACHE_BYTES = Gauge("playground_cache_bytes", "All caches together")
CACHE_BUDGET = Gauge("playground_cache_budget_bytes", "What all caches may hold together")
# A fork (on ZeroGPU) counts nothing: it may inherit a lock that another thread holds, and nobody reads its figures.
_PROCESS = os.getpid()
CHECKPOINTS = Gauge("playground_checkpoints", "Checkpoints in memory")
CHECKPOINT_BYTES = Gauge("playground_checkpoint_bytes", "Their weights")

# Requests that ended and are not counted yet: task, outcome, seconds. Python's collector may close the generator of a
# visitor who left at any allocation, even inside prometheus_client while it holds a lock. Counting there needs the same
# lock, so the thread would hang forever; putting something into this queue needs none.
_ENDED: SimpleQueue[tuple[str, str, float]] = SimpleQueue()


@contextmanager
def measured(task: str) -> Iterator[None]:
    """Count one request of a task, its time and its outcome: ok, stopped, failed, or the code of its error."""
    started, outcome = time.perf_counter(), "failed"
    RUNNING.labels(task).inc()
    try:
        yield
        outcome = "ok"
    except PlaygroundError as error:
        outcome = error.code
        raise
    except GeneratorExit:  # the caller stopped it, or left
        outcome = "stopped"
        raise
    finally:
        _ENDED.put((task, outcome, time.perf_counter() - started))
        if outcome != "stopped":  # a stopped one may be closed by the collector
            settle()


def settle() -> None:
    """Count the requests that ended; call this before reading the figures."""
    while True:
        try:
            task, outcome, seconds = _ENDED.get_nowait()
        except Empty:
            return
        RUNNING.labels(task).dec()
        SECONDS.labels(task).observe(seconds)
        REQUESTS.labels(task, outcome).inc()


def _counts() -> bool:
    return os.getpid() == _PROCESS


@contextmanager
def waiting() -> Iterator[None]:
    """Count a request that waits for a model."""
    if not _counts():
        yield
        return
    with WAITING.track_inprogress():
        yield


def count_batch(requests: int) -> None:
    """Count a pass shared by this many requests."""
    if _counts():
        BATCH.observe(requests)


def count_cached(found: bool) -> None:
    """Count a request to a cache."""
    if _counts():
        CACHE.labels("hit" if found else "miss").inc()


def count_checkpoints(count: int, weights: int) -> None:
    """Set the number of checkpoints in memory and the bytes of their weights."""
    if _counts():
        CHECKPOINTS.set(count)
        CHECKPOINT_BYTES.set(weights)


def value_of(gauge: Gauge | Counter) -> float:
    """A figure's value, summed over all labels."""
    settle()
    return sum(sample.value for metric in gauge.collect() for sample in metric.samples)
