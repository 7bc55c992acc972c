"""The server's counts stay correct and hold no lock, whoever leaves and whenever."""

import gc
import threading
from collections.abc import Iterator

import pytest

from app import metrics

TASK = "test.left"


def stream() -> Iterator[int]:
    """An answer that grows."""
    with metrics.measured(TASK):
        yield 1
        yield 2


def test_who_leaves_is_counted_as_stopped() -> None:
    growing = stream()
    next(growing)
    assert metrics.value_of(metrics.RUNNING) >= 1
    growing.close()
    metrics.settle()
    assert metrics.RUNNING.labels(TASK)._value.get() == 0
    assert metrics.REQUESTS.labels(TASK, "stopped")._value.get() >= 1


class Collecting(dict):
    """A figure's parts, whose copy is a moment at which Python looks for what nobody holds any more."""

    def copy(self) -> dict:
        gc.collect()
        return dict(self)


@pytest.mark.parametrize("figure", [metrics.RUNNING, metrics.REQUESTS], ids=lambda one: one._name)
def test_a_stream_collected_while_a_figure_is_read_locks_nothing(figure: object) -> None:
    usual, before = figure._metrics, metrics.REQUESTS.labels(TASK, "stopped")._value.get()
    gc.disable()
    try:
        growing = stream()
        next(growing)
        circle: list[object] = [growing]
        circle.append(circle)
        del growing, circle
        figure._metrics = Collecting(usual)
        reader = threading.Thread(target=metrics.value_of, args=[figure], daemon=True)
        reader.start()
        reader.join(20)
        assert not reader.is_alive()
    finally:
        gc.enable()
        figure._metrics = usual
    metrics.settle()
    assert metrics.REQUESTS.labels(TASK, "stopped")._value.get() == before + 1
