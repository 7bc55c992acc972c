"""Finds a checkpoint by its name, and says which serve a task."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Container
from functools import lru_cache
from pathlib import Path

from huggingface_hub.errors import HFValidationError
from huggingface_hub.utils import validate_repo_id

from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.checkpoint_rows import CATALOG
from app.registry.first import rank
from app.registry.hub_reach import hub_reach
from app.results.expressions.writing import CHINESE
from app.settings import settings

BY_NAME = {checkpoint.name: checkpoint for checkpoint in CATALOG}
# What people copy from the Hub's pages.
BY_REPOSITORY = {checkpoint.repo_id: checkpoint for checkpoint in reversed(CATALOG) if checkpoint.source == "hub"}


def for_task(task: str) -> list[Checkpoint]:
    """Every checkpoint that serves a task, the default first (see `first.rank`); all of them for an empty task.

    Raises:
        PlaygroundError: `bad_value`, no such task.
    """
    tasks = sorted({served for checkpoint in CATALOG for served in checkpoint.tasks})
    if task and task not in tasks:
        raise PlaygroundError("bad_value", "choice", field="task", choices=", ".join(tasks))
    serving = [checkpoint for checkpoint in CATALOG if not task or task in checkpoint.tasks]
    if not task:
        return serving
    return sorted(
        serving,
        key=lambda checkpoint: rank(checkpoint, task, is_installed(checkpoint), hosts_folder(checkpoint) is not None),
    )


def is_installed(checkpoint: Checkpoint) -> bool:
    """Whether its package is on this machine and may be used."""
    if checkpoint.package is None or not settings().packs:
        return False
    return checkpoint.package.find() is not None


def comes_along(checkpoint: Checkpoint) -> bool:
    """Whether it is here without having been fetched: bundled, or in an installed package."""
    return checkpoint.source == "bundled" or is_installed(checkpoint)


def fetches() -> bool:
    """Can this server fetch models: is it allowed to, and did the Hub answer when it was last asked?"""
    return settings().downloads and not settings().offline and hub_reach().answers()


def find(name: str, task: str, *texts: object) -> Checkpoint:
    """The checkpoint of that name; for an empty one the task's default among those that know the texts' language.

    Args:
        name: in the catalog, or on the Hub.
        task: what it is asked for; empty for none in particular.
        texts: what it is asked, or lists of that; the first non-empty one decides.

    Raises:
        PlaygroundError: `unknown_model`, not in the catalog; `wrong_model`, it does not serve the task;
            `model_unavailable`, the Hub's cannot be fetched, with the reason and those here that serve the task.
    """
    if name == "":
        return default(task, *texts)
    try:
        checkpoint = known(name)
    except PlaygroundError as error:
        if error.code != "model_unavailable":
            raise
        # What it would have been able to do is not known yet: those for the task stand in.
        names = ", ".join(other.name for other in for_task(task) if comes_along(other))
        raise PlaygroundError(error.code, error.reason, **{**error.values, "names": names or "—"}) from error
    if task and task not in checkpoint.tasks:
        raise PlaygroundError("wrong_model", model=name, names=", ".join(c.name for c in for_task(task)))
    return checkpoint


def default(task: str, *texts: object) -> Checkpoint:
    """The default where no model is named: the first that knows the texts' language; where none does, the first."""
    serving = for_task(task)
    languages = languages_for(first_text(texts))
    return next((one for one in serving if one.language in languages), serving[0])


def known(name: str) -> Checkpoint:
    """The checkpoint of that name: in the catalog, there also by its repository, or one of the Hub, `owner/name`.

    Raises:
        PlaygroundError: `unknown_model`, neither; `model_unavailable`, the Hub's cannot be fetched, with the reason.
    """
    if isinstance(name, str) and name in BY_NAME:
        return BY_NAME[name]
    if isinstance(name, str) and name in BY_REPOSITORY:
        return BY_REPOSITORY[name]
    if is_hub_name(name) and _ask:
        return _stranger(name)
    near = difflib.get_close_matches(str(name), BY_NAME, n=1)
    names = ", ".join([*near, *(other for other in BY_NAME if other not in near)])
    raise PlaygroundError("unknown_model", names=names)


def readers(names: list[str], text: str, task: str) -> list[str]:
    """Those of the named checkpoints that know a text's language; where none does, the first of the task that does.

    A name outside the catalog is assumed to know it: its answer will show.
    """
    languages = languages_for(text)
    knowing = [name for name in names if name not in BY_NAME or BY_NAME[name].language in languages]
    return knowing or [one.name for one in for_task(task) if one.language in languages][:1] or names


def languages_for(text: str) -> tuple[str, str]:
    """The languages of which a checkpoint has to know one: Chinese where the text holds any of its characters."""
    return ("multi", "zh" if CHINESE.search(text) else "en")


def first_text(given: object) -> str:
    """The first text that is not empty, in lists as well; any other value a caller sends counts as none."""
    if isinstance(given, list | tuple):
        return next((text for text in map(first_text, given) if text), "")
    return given if isinstance(given, str) and not given.isspace() else ""


def hosts_folder(checkpoint: Checkpoint) -> Path | None:
    """The host's own folder with a checkpoint under this catalog name; the origin of its weights is not verified."""
    folder = Path(settings().models) / checkpoint.name
    return folder if settings().models and is_complete(folder) else None


def is_complete(folder: Path) -> bool:
    """Does the folder say what model it holds?"""
    return (folder / "config.json").is_file() or any(folder.glob("*options.json"))


HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/\w[\w.-]{0,95}", re.ASCII)
# Resolves names outside the catalog: the engine, which this package does not know.
_ask: list[Callable[[str], Checkpoint]] = []


def is_hub_name(name: object) -> bool:
    """Could it be a repository on the Hub? Paths and addresses are not."""
    if not isinstance(name, str) or HUB_NAME.fullmatch(name) is None:
        return False
    try:
        validate_repo_id(name)  # has further rules: no `--`, no `.git` at the end
    except HFValidationError:
        return False
    return True


def may_be_named(name: object) -> bool:
    """Would a name outside the catalog be answered: from the Hub, or offline from what is on this machine?"""
    if not is_hub_name(name) or not settings().any_checkpoint:
        return False
    return not settings().offline or _is_here(name)


def _is_here(name: str) -> bool:
    try:
        known(name)
    except PlaygroundError:
        return False
    return True


def linked(name: str | None, offered: Container[str], instead: str) -> str:
    """The model that a link names, where a picker takes it, else another."""
    return name if name in offered or may_be_named(name) else instead


def ask_for_strangers(look_up: Callable[[str], Checkpoint]) -> None:
    """Let `look_up` resolve names outside the catalog."""
    _ask[:] = [look_up]
    _stranger.cache_clear()


@lru_cache(maxsize=200)
def _stranger(name: str) -> Checkpoint:
    return _ask[0](name)
