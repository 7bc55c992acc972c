"""Which checkpoints are here, which of them are unusable, and whether the first one answers."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path

from app.doctor.finding import Finding
from app.engine.storage.folder_check import fault_of
from app.engine.storage.locate import is_usable, problem
from app.errors import PlaygroundError
from app.registry.checkpoint import UNPINNED
from app.registry.hub_reach import ask_hub
from app.registry.lookup import for_task, known
from app.settings import settings

# Any trained English model knows it.
QUESTION, RIGHT_ANSWER = "He moved to New [MASK] City.", "York"


def check_checkpoints() -> Iterator[Finding]:
    """Which checkpoints are here?"""
    ready = [checkpoint.name for checkpoint in for_task("") if is_usable(checkpoint)]
    fetched = [checkpoint for checkpoint in for_task("") if checkpoint.source == "hub" and checkpoint.repo_id]
    absent = [checkpoint.name for checkpoint in fetched if checkpoint.name not in ready]
    yield Finding("ok" if ready else "stop", f"On this machine: {', '.join(ready) or 'no checkpoint at all'}.")
    if not absent:
        return
    if settings().offline or not settings().downloads or not ask_hub():
        yield Finding("note", f"Not on this machine and not to be had now: {', '.join(absent)}.")
        return
    yield Finding("ok", f"To be downloaded when they are chosen: {', '.join(absent)}.")


def check_commits() -> Iterator[Finding]:
    """Does the catalog name a commit of each checkpoint on the Hub?"""
    fetched = [checkpoint for checkpoint in for_task("") if checkpoint.source == "hub" and checkpoint.repo_id]
    moving = [checkpoint.name for checkpoint in fetched if checkpoint.revision == UNPINNED]
    if moving:
        yield Finding(
            "note",
            f"The newest commit is taken, as the catalog names none: {', '.join(moving)}. "
            "Where the Hub can be reached, `python -m app.registry pin` writes commits into the catalog.",
        )
    else:
        yield Finding("ok", f"The catalog names a commit of each of its {len(fetched)} checkpoints on the Hub.")


def check_models_folder() -> Iterator[Finding]:
    """Is something in the host's own folder that will be used?"""
    if not settings().models:
        return
    folder, names = Path(settings().models), {checkpoint.name for checkpoint in for_task("")}
    inside = sorted(path for path in folder.iterdir() if path.is_dir())
    named = [path for path in inside if path.name in names]
    faults = {path.name: found for path in named if (found := fault_of(known(path.name), path)) is not None}
    used = [path.name for path in named if path.name not in faults]
    other = [path.name for path in inside if path.name not in names]
    if used:
        yield Finding("ok", f"Taken from {folder}: {', '.join(used)}.")
    else:
        yield Finding("note", f"Nothing in {folder} is used: its sub-folders need names of the catalog.")
    for error in faults.values():
        yield Finding("note", _sentence(error))
    if other:
        yield Finding("note", f"Not names of the catalog, so not used: {', '.join(other)}.")


def check_first() -> Iterator[Finding]:
    """Does the catalog know who shall answer first?"""
    names = {checkpoint.name for checkpoint in for_task("")}
    for name in filter(None, map(str.strip, settings().first.split(","))):
        if name not in names:
            near = next(iter(difflib.get_close_matches(name, names, n=1)), "")
            hint = f"; did you mean {near}?" if near else "."
            yield Finding("note", f"PLAYGROUND_FIRST names {name}, which is not in the catalog{hint}")


def check_downloaded() -> Iterator[Finding]:
    """Can what was downloaded be loaded, as far as its files tell?"""
    for checkpoint in for_task(""):
        if checkpoint.source == "hub" and (error := problem(checkpoint)) is not None:
            yield Finding("note", _sentence(error))


def check_answer() -> Iterator[Finding]:
    """Does the default checkpoint answer?"""
    from app.tasks.fill_mask.fill import fill_mask

    try:
        answer = fill_mask(QUESTION)
    except PlaygroundError as error:
        yield Finding("stop", f"The default checkpoint does not answer: {_sentence(error)}")
        return
    words = [candidate.token.strip() for candidate in answer.masks[0].candidates[:3]]
    said = f"{answer.model} answers: {QUESTION.replace('[MASK]', '___')} {', '.join(words)}."
    if RIGHT_ANSWER.lower() in map(str.lower, words):
        yield Finding("ok", said)
    else:
        yield Finding("note", f"{said} {RIGHT_ANSWER} is expected: are its files those of a trained model?")


def _sentence(error: PlaygroundError) -> str:
    # Gradio is imported here, after the proxies were dealt with.
    from app.ui.events import sentence
    from app.ui.texts import DEFAULT

    return sentence(error, DEFAULT)
