"""Faults of processes: the server is ended or killed during its work."""

from __future__ import annotations

import signal
import time

import httpx

from tests.load import lesson
from tests.load.fault_bench import LONG_TEXT, Bench, converted, fault, in_background
from tests.load.served import SECONDS_TO_END, Served

TRAINING = [lesson.TUNED_ROWS * 20, "bert-mini", 20, 2e-4, 0, 0.2]


def wait_until_running(app: Served, task: str) -> None:
    """Return once the server works on it."""
    while f'playground_running{{task="{task}"}} 1.0' not in httpx.get(f"{app.url}/metrics", trust_env=False).text:
        time.sleep(0.02)


def _ended_amid(bench: Bench, number: int, endpoint: str, arguments: list[object]) -> None:
    with bench.app() as app:
        in_background(app, endpoint, arguments, session="amid")
        wait_until_running(app, f"/{endpoint}")
        began = time.monotonic()
        code = app.end(number)
        seconds = time.monotonic() - began
    assert code == (0 if number == signal.SIGTERM else -number), f"exit code {code}"
    assert seconds < SECONDS_TO_END + 1, f"took {seconds:.1f} s to end"
    bench.must_start_again()


@fault
def sigterm_amid_writing(bench: Bench) -> None:
    """A text is being written."""
    _ended_amid(bench, signal.SIGTERM, "generate", LONG_TEXT)


@fault
def sigkill_amid_writing(bench: Bench) -> None:
    """The same without a warning."""
    _ended_amid(bench, signal.SIGKILL, "generate", LONG_TEXT)


@fault
def sigterm_amid_training(bench: Bench) -> None:
    """A model is being trained."""
    _ended_amid(bench, signal.SIGTERM, "fine_tune", TRAINING)


@fault
def sigkill_amid_training(bench: Bench) -> None:
    """The same without a warning."""
    _ended_amid(bench, signal.SIGKILL, "fine_tune", TRAINING)


@fault
def sigkill_amid_converting(bench: Bench) -> None:
    """A checkpoint is being made from its base and its change: half of it is never taken for the whole."""
    for seconds in (0.0, 0.05, 0.2):
        with bench.app() as app:
            in_background(app, "classify", [["A good film."], "bert-mini-sst2", []])
            while not any(bench.cache.iterdir()):
                time.sleep(0.005)
            time.sleep(seconds)
            app.end(signal.SIGKILL)
    with bench.app() as app, app.client() as client:
        answer = app.call(client, "classify", [["A good film."], "bert-mini-sst2", []])
        assert not answer.told, answer.told
        whole = converted(bench.cache)
        left = [path.name for path in bench.cache.iterdir() if path.is_dir() and path not in whole]
        assert not left, f"half of a conversion was left behind: {left}"
