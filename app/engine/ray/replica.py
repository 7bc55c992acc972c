"""What runs in a replica: checkpoints of one family, loaded and asked as in a process of its own.

Questions run in threads, so that those of one checkpoint share its passes (`Batcher`, `Streams`). That is where
batches are made, not with Serve's `@serve.batch`: only there it is known how long rows are, and which are equal.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ray import serve

from app.engine.answer_registry import answer_registry
from app.engine.ray.question import Described, Question, reading_of
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import load, load_family
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.settings import settings

END = object()


class Replica:
    """Answers questions. What a visitor can put right goes back as an answer: Serve would log it as an error.

    Args:
        family: whose checkpoints; its libraries are imported before the replica counts as ready.
        version: of the deployment; an update has a later one, and what was kept of older answers does not count.
    """

    def __init__(self, family: str, version: int) -> None:
        answer_registry()
        load_family(family)
        self._version = version
        self._threads = ThreadPoolExecutor(settings().ray_ongoing, thread_name_prefix="asked")
        self._named: dict[str, Checkpoint] = {}

    async def describe(self, checkpoint: Checkpoint) -> Described | PlaygroundError:
        """What it is once loaded."""
        try:
            loaded = await self._loaded(checkpoint)
        except PlaygroundError as error:
            return error
        return Described(loaded.checkpoint, loaded.heads, reading_of(loaded), self._version)

    async def ask(self, question: Question) -> object:
        """The answer."""
        try:
            loaded = await self._loaded(question.checkpoint)
            return await self._in_thread(question.answer, loaded)
        except PlaygroundError as error:
            return error

    async def stream(self, question: Question) -> AsyncIterator[object]:
        """The answer part by part. Whoever stops listening stops the model."""
        parts: Any = await self.ask(question)
        if isinstance(parts, PlaygroundError):
            yield parts
            return
        step: asyncio.Future[Any] | None = None
        try:
            while True:
                step = self._in_thread(next, parts, END)
                part = await asyncio.shield(step)
                if part is END:
                    return
                yield part
        except PlaygroundError as error:
            yield error
        finally:
            # In the middle of a step it cannot be closed: then it is as soon as that is done.
            if step is not None:
                step.add_done_callback(lambda _: self._threads.submit(parts.close))

    def _in_thread(self, work: Callable[..., Any], *arguments: Any) -> asyncio.Future[Any]:
        return asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)

    async def _loaded(self, checkpoint: Checkpoint) -> Loaded:
        self._named[checkpoint.name] = checkpoint
        return await self._load(checkpoint.name)

    @serve.multiplexed(max_num_models_per_replica=settings().ray_checkpoints)
    async def _load(self, name: str) -> Loaded:
        return await self._in_thread(load, self._named[name])
