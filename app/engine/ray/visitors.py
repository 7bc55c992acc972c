"""The one process of a cluster where visitors' things lie: page processes come and go, and each finds them there."""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from functools import partial
from typing import Any

import ray
from ray import exceptions

from app.engine.ray.families import connect, environment
from app.errors import PlaygroundError

NAME, NAMESPACE = "visitors", "playground"
# Without that one there is no cluster; of the others each may go, those with the pages too.
FIRST_MACHINE = "node:__internal_head__"
# So long one of its methods may take, a large model's way there and the process's start counted.
PATIENCE_SECONDS = 60
log = logging.getLogger(__name__)


class Visitors:
    """Holds one object of each class that is asked for. One question at a time, so that none sees half a change."""

    def __init__(self) -> None:
        self._objects: dict[type, Any] = {}

    def ask(self, kind: type, method: str, arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, Any]:
        """What a method gives, and what it raises of this program's own: Ray would log that as an error."""
        if kind not in self._objects:
            self._objects[kind] = kind()
        try:
            return getattr(self._objects[kind], method)(*arguments, **named), None
        except Exception as error:
            if not type(error).__module__.startswith("app."):
                raise
            return None, error


class Shared:
    """An object there, as it looks from a page process. See `app.engine.visitors.shared`."""

    def __init__(self, kind: type) -> None:
        self._kind = kind

    def __getattr__(self, method: str) -> Any:
        """One of its methods."""
        if method.startswith("_") or not hasattr(self._kind, method):
            raise AttributeError(method)
        return partial(self._ask, method)

    def _ask(self, method: str, *arguments: Any, **named: Any) -> Any:
        try:
            asked = process().ask.remote(self._kind, method, arguments, named)
            answer, error = ray.get(asked, timeout=PATIENCE_SECONDS)
        except (exceptions.RayActorError, exceptions.GetTimeoutError, ConnectionError) as error:
            log.error("What belongs to visitors cannot be reached: %s", error)
            raise PlaygroundError("busy") from error
        if error is not None:
            raise error
        return answer


_found: list[Any] = []
_finding = threading.Lock()


def process() -> Any:
    """The actor; started where there is none. It outlives page processes, and starts again, empty, if it ends.

    Raises:
        ConnectionError: there is no cluster.
    """
    with _finding:
        if not _found or not ray.is_initialized():
            connect()
            _found[:] = [_started()]
        return _found[0]


def end() -> None:
    """End it, if it runs: everything that belongs to visitors is gone."""
    with suppress(ValueError):  # there is none
        ray.kill(ray.get_actor(NAME, namespace=NAMESPACE))
    _found.clear()


def _started() -> Any:
    options = ray.remote(Visitors).options(
        name=NAME,
        namespace=NAMESPACE,
        lifetime="detached",
        get_if_exists=True,
        num_cpus=0,
        resources={FIRST_MACHINE: 0.001},
        max_restarts=-1,
        max_task_retries=3,
        runtime_env={"env_vars": environment()},
    )
    return options.remote()
