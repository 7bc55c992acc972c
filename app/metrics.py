"""What the server counts of itself: how often, how long, how full.

Numbers only. No text, no visit and no address is ever a label, so that `/metrics` can be read by anybody.
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
# A fork (on ZeroGPU) might inherit a counter's lock while another thread holds it, and is not asked for its figures.
_PROCESS = os.getpid()
CHECKPOINTS = Gauge("playground_checkpoints", "Checkpoints in memory")
CHECKPOINT_BYTES = Gauge("playground_checkpoint_bytes", "Their weights")


# Requests that ended and are not counted yet: task, outcome, seconds. Python's collector closes the generator of a
# visitor who left at any allocation, also inside prometheus_client while it holds a lock, which it would then want
# again: the thread would stand still for ever. Putting something into this queue needs no lock.
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
    except GeneratorExit:  # whoever asked stopped it, or left
        outcome = "stopped"
        raise
    finally:
        _ENDED.put((task, outcome, time.perf_counter() - started))
        if outcome != "stopped":  # perhaps by the collector
            settle()


def settle() -> None:
    """Count the requests that ended; whoever reads the figures calls this first."""
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
    """A request waits for a model."""
    if not _counts():
        yield
        return
    with WAITING.track_inprogress():
        yield


def count_batch(requests: int) -> None:
    """So many requests share a pass."""
    if _counts():
        BATCH.observe(requests)


def count_cached(found: bool) -> None:
    """A cache was asked."""
    if _counts():
        CACHE.labels("hit" if found else "miss").inc()


def count_checkpoints(count: int, weights: int) -> None:
    """So many checkpoints are in memory, with so many bytes of weights."""
    if _counts():
        CHECKPOINTS.set(count)
        CHECKPOINT_BYTES.set(weights)


def value_of(gauge: Gauge | Counter) -> float:
    """A figure's value, all its labels together."""
    settle()
    return sum(sample.value for metric in gauge.collect() for sample in metric.samples)
