"""Finds a checkpoint by its name, and says which serve a task."""

from __future__ import annotations

import difflib

from app.errors import PlaygroundError
from app.registry.catalog import CATALOG
from app.registry.checkpoint import Checkpoint
from app.settings import settings

BY_NAME = {checkpoint.name: checkpoint for checkpoint in CATALOG}


def for_task(task: str) -> list[Checkpoint]:
    """Every checkpoint that serves a task, the default first; all of them for an empty task.

    Those whose package is not installed go last: they cannot be a default.

    Raises:
        PlaygroundError: `bad_value`, no such task.
    """
    tasks = sorted({served for checkpoint in CATALOG for served in checkpoint.tasks})
    if task and task not in tasks:
        raise PlaygroundError("bad_value", "choice", field="task", choices=", ".join(tasks))
    serving = [checkpoint for checkpoint in CATALOG if not task or task in checkpoint.tasks]
    return sorted(serving, key=lambda checkpoint: checkpoint.source == "package" and not is_installed(checkpoint))


def is_installed(checkpoint: Checkpoint) -> bool:
    """Whether its package is on this machine and may be used."""
    if checkpoint.package is None or not settings().packs:
        return False
    return checkpoint.package.find() is not None


def find(name: str, task: str) -> Checkpoint:
    """The checkpoint of that name; the task's default for an empty one.

    Raises:
        PlaygroundError: `unknown_model`, not in the catalog; `wrong_model`, it does not serve the task.
    """
    serving = for_task(task)
    if name == "":
        return serving[0]
    if not isinstance(name, str) or name not in BY_NAME:
        near = difflib.get_close_matches(str(name), BY_NAME, n=1)
        names = ", ".join([*near, *(known for known in BY_NAME if known not in near)])
        raise PlaygroundError("unknown_model", names=names)
    if BY_NAME[name] not in serving:
        raise PlaygroundError("wrong_model", model=name, names=", ".join(c.name for c in serving))
    return BY_NAME[name]
