"""Names of a visitor's models: renaming one that a training named, and deleting a model."""

from __future__ import annotations

import unicodedata

from app.engine.heads import TOKEN_CLASSIFICATION
from app.engine.runtime.visitor_models import visitor_models
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.fine_tune.ended import ended
from app.tasks.fine_tune.kinds import TAGS, TEXT
from app.tasks.fine_tune.page import check_chosen
from app.tasks.fine_tune.runs import runs_of
from app.tasks.fine_tune.starting import BAG
from app.tasks.fine_tune.take_home import drop_taken

LONGEST_NAME = 40
# Allowed besides letters and digits of any script; a name becomes a file name.
SIGNS = " -_."


def check_name(name: object) -> str:
    """Return the name for a model with its spaces tidied.

    Raises:
        PlaygroundError: `bad_value`, it is empty or too long, has other signs, or belongs to another model.
    """
    tidy = " ".join(unicodedata.normalize("NFC", name if isinstance(name, str) else "").split())
    fits = 0 < len(tidy) <= LONGEST_NAME and all(map(_is_allowed, tidy))
    if not fits or not tidy[0].isalnum() or tidy.endswith("."):
        raise PlaygroundError("bad_value", "model_name", limit=LONGEST_NAME)
    if tidy in BY_NAME or tidy == BAG.name:
        raise PlaygroundError("bad_value", "name_taken", name=tidy)
    return tidy


def _is_allowed(sign: str) -> bool:
    """A letter, a digit, or a mark above or below one, which many scripts have."""
    return sign in SIGNS or unicodedata.category(sign)[0] in "LMN"


def rename(name: str | None, new: object, visitor: str) -> str:
    """Rename the visitor's model, which then answers only to the new name; returns that name.

    Raises:
        PlaygroundError: `bad_value`, none was chosen, or as `check_name`, or another of the visitor's models or runs
            has the name; `unknown_model`, it is gone.
    """
    chosen, wanted = check_chosen(name), check_name(new)
    _check_there(chosen, visitor)
    if wanted == chosen:
        return chosen
    taken = wanted in {run.result.name for run in runs_of(visitor)}
    if taken or not visitor_models().rename(visitor, chosen, wanted):
        raise PlaygroundError("bad_value", "name_taken", name=wanted)
    ended().rename(visitor, chosen, wanted)
    drop_taken(chosen, visitor)
    return wanted


def delete(name: str | None, visitor: str) -> None:
    """Delete the visitor's model, its training record and its zip.

    Raises:
        PlaygroundError: `bad_value`, none was chosen; `unknown_model`, it is gone.
    """
    chosen = check_chosen(name)
    _check_there(chosen, visitor)
    visitor_models().drop(visitor, chosen)
    ended().drop(visitor, chosen)
    drop_taken(chosen, visitor)


def kind_of(name: str | None, visitor: str) -> str:
    """What a visitor's model was trained on, `text`, `pair` or `tags`; empty if there is no such model."""
    loaded = visitor_models().get(visitor, name or "")
    if loaded is None:
        return ""
    run = next((run for run in runs_of(visitor) if run.result.name == name), None)
    if run is not None:
        return run.result.kind
    return TAGS if TOKEN_CLASSIFICATION in loaded.heads else TEXT


def _check_there(name: str, visitor: str) -> None:
    names = visitor_models().names(visitor)
    if name not in names:
        raise PlaygroundError("unknown_model", names=", ".join(names) or "—")
