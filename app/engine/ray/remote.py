"""Checkpoints that a cluster runs, in the form that everything above the engine uses."""

from __future__ import annotations

import threading
import time
from collections.abc import Generator
from dataclasses import replace
from functools import cache, partial
from typing import Any, TypeVar, cast

from app.engine.heads import Head
from app.engine.ray.calls import Calls, calls
from app.engine.ray.question import Described, Question
from app.engine.ray.surface import METHODS, STREAMED
from app.late_imports import importing
from app.registry.checkpoint import Checkpoint

Answers = TypeVar("Answers")

# How long a replica's description of a checkpoint is valid; after that, updates are noticed.
SECONDS = 30.0


class RemoteHead:
    """Implements a head's protocol: attributes and tokenizer are here, methods run on the replicas."""

    def __init__(self, asked: Calls, question: Question, attributes: dict[str, Any]) -> None:
        self._asked, self._question = asked, question
        vars(self).update(attributes)

    def __getattr__(self, name: str) -> Any:
        """A method; existing attributes are not looked up here."""
        if name not in METHODS:
            raise AttributeError(name)
        tokenizer = vars(self).get("text")
        if name == "encode" and tokenizer is not None:
            return tokenizer.encode
        return partial(self._stream if name in STREAMED else self._ask, name)

    def _ask(self, method: str, *arguments: Any, **named: Any) -> Any:
        return self._asked.ask(self._question.of(method, arguments, named))

    def _stream(self, method: str, *arguments: Any, **named: Any) -> Generator[Any, None, None]:
        question = self._question.of(method, arguments, named)
        if question.single:  # a stream takes more messages
            yield from self._asked.ask(replace(question, whole=True))
        else:
            yield from self._asked.stream(question)


class RemoteCheckpoint:
    """A checkpoint in the memory of some replica."""

    def __init__(self, asked: Calls, catalog: Checkpoint, described: Described) -> None:
        self._asked, self._catalog, self._reads = asked, catalog, described.reads
        self.checkpoint, self.heads, self.version = described.checkpoint, described.heads, described.version
        self.until = time.monotonic() + SECONDS
        self._attributes: dict[str, dict[str, Any]] = {}

    def head(self, head: Head[Answers]) -> Answers:
        """See `Served`."""
        question = Question(self._catalog, str(head), self._reads)
        if head not in self._attributes:
            with importing():  # the tokenizer that arrives imports transformers
                self._attributes[head] = self._asked.ask(question)
        return cast(Answers, RemoteHead(self._asked, question, self._attributes[head]))


class Cluster:
    """The engine whose models a cluster runs."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._known: dict[Checkpoint, RemoteCheckpoint] = {}

    def get(self, checkpoint: Checkpoint) -> RemoteCheckpoint:
        """See `Engine`."""
        with self._guard:
            known = self._known.get(checkpoint)
        if known is not None and time.monotonic() < known.until:
            return known
        asked = calls(checkpoint.family)
        described = asked.describe(checkpoint)
        if known is not None and described.version == known.version:
            known.until = time.monotonic() + SECONDS
            return known
        with self._guard:
            self._known[checkpoint] = RemoteCheckpoint(asked, checkpoint, described)
            return self._known[checkpoint]

    def names(self) -> list[str]:
        """See `Engine`; those requested by this process, some of which their replicas may have dropped since."""
        with self._guard:
            return [checkpoint.name for checkpoint in self._known]


@cache
def cluster() -> Cluster:
    """The cluster of this process."""
    return Cluster()
