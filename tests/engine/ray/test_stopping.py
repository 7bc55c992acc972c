"""A client that stops listening stops the model, at both ends; without a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("ray", reason="needs Ray (requirements-ray.txt)")

from app.engine.ray.calls import Calls
from app.engine.ray.question import Question
from app.engine.ray.replica import Replica
from app.errors import PlaygroundError
from app.registry.lookup import known
from tests.asynchronous import run

QUESTION = Question(known("gpt2"), "causal_lm", 0, "generate")


class Writing:
    """A text that goes on until somebody closes it."""

    def __init__(self) -> None:
        self.closed = False

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        return 1

    def close(self) -> None:
        self.closed = True


def test_a_replica_closes_what_nobody_listens_to(monkeypatch: pytest.MonkeyPatch) -> None:
    writing, replica = Writing(), Replica("gpt2", 1)

    async def ask(question: Question) -> Writing:
        return writing

    monkeypatch.setattr(replica, "ask", ask)

    async def listen() -> None:
        parts = replica.stream(QUESTION)
        assert await anext(parts) == 1
        await parts.aclose()

    run(listen())
    replica._threads.shutdown()
    assert writing.closed


def test_a_refusal_comes_as_the_last_part(monkeypatch: pytest.MonkeyPatch) -> None:
    replica = Replica("gpt2", 1)

    async def ask(question: Question) -> Iterator[int]:
        def parts() -> Iterator[int]:
            yield 1
            raise PlaygroundError("busy", "memory")

        return parts()

    monkeypatch.setattr(replica, "ask", ask)

    async def listen() -> list[Any]:
        return [part async for part in replica.stream(QUESTION)]

    first, last = run(listen())
    assert first == 1 and last.key == "busy.memory"


class Parts:
    """What a handle gives for a stream."""

    def __init__(self, *parts: object) -> None:
        self._parts, self.cancelled = iter(parts), False

    def __next__(self) -> object:
        return next(self._parts)

    def cancel(self) -> None:
        self.cancelled = True


def calls_giving(parts: Parts, monkeypatch: pytest.MonkeyPatch) -> Calls:
    """Calls whose replicas give these."""
    calls = Calls("gpt2")
    handle = SimpleNamespace(stream=SimpleNamespace(remote=lambda question: parts))
    handle.options = lambda **_: handle
    monkeypatch.setattr(calls, "_to", lambda checkpoint: handle)
    return calls


def test_closing_a_stream_cancels_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(1, 2, 3)
    stream = calls_giving(parts, monkeypatch).stream(QUESTION)
    assert next(stream) == 1 and not parts.cancelled
    stream.close()
    assert parts.cancelled


def test_a_refusal_among_the_parts_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = Parts(1, PlaygroundError("busy", "memory"))
    stream = calls_giving(parts, monkeypatch).stream(QUESTION)
    assert next(stream) == 1
    with pytest.raises(PlaygroundError, match="memory"):
        next(stream)
