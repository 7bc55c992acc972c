"""Which checkpoint answers first: of those on this machine the host's choice, else the best one for the task."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path

from app.registry.checkpoint import Checkpoint
from app.settings import settings

# Answered by the engine, which knows what is on this machine and can be loaded; this package does not import it.
_usable: list[Callable[[Checkpoint], bool]] = []


def ask_for_usable(look_up: Callable[[Checkpoint], bool]) -> None:
    """Let `look_up` say whether a published checkpoint is on this machine, with all its files."""
    _usable[:] = [look_up]


@cache
def figures() -> dict[str, dict[str, float]]:
    """By task and checkpoint, what `quality.toml` says; higher is better."""
    tables = tomllib.loads(Path(__file__).with_name("quality.toml").read_text(encoding="utf-8"))
    return {task: {name: value for name, value in table.items() if name != "measure"} for task, table in tables.items()}


def rank(checkpoint: Checkpoint, task: str, installed: bool, own: bool) -> tuple[int, bool, bool, float]:
    """A sort key: smaller answers first. Equal ones keep the catalog's order.

    Args:
        checkpoint: serves the task.
        task: an endpoint's name.
        installed: for source "package", whether the package is on this machine.
        own: whether the host's own folder has the checkpoint.
    """
    published = (own or checkpoint.source == "hub") and any(look_up(checkpoint) for look_up in _usable)
    here = published or checkpoint.source == "bundled" or (checkpoint.source == "package" and installed)
    wanted = [name.strip() for name in settings().first.split(",")]
    place = wanted.index(checkpoint.name) if here and checkpoint.name in wanted else len(wanted)
    return place, not here, not published, -figures().get(task, {}).get(checkpoint.name, 0.0)
