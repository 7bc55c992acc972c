"""The picker of classifiers: the visitor's own models first, then the catalog's, and what each of them is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.registry.lookup import for_task
from app.results.about import About
from app.results.text import ModelEntry
from app.ui.texts import about, say
from app.ui.widgets import model_choices

SLUG = "classification"


def classifier_choices(
    language: str, own: Mapping[str, str], ready: set[str], task: str = "classify"
) -> list[tuple[str, str]]:
    """Choices of the picker: of those that are here, and of the others, first those that know the page's language.

    Args:
        language: of the page.
        own: the visitor's models, with what each was made from.
        ready: names of the catalog's classifiers that are on this machine.
        task: what they are to do.
    """
    mine = [(say(language, SLUG, "own", name=name), name) for name in own]
    speaks = (language.partition("-")[0], "multi")
    offered = sorted(for_task(task), key=lambda one: (one.name not in ready, one.language not in speaks))
    return mine + model_choices(language, offered, ready)


def about_classifier(language: str, name: str, own: Mapping[str, str]) -> About:
    """A classifier as a card introduces it."""
    if name not in own:
        return about(language, name)
    said = say(language, SLUG, "trust.own", revision=own[name])
    return About(name, name, said, say(language, "models", "ask"))


def first_ready(entries: Sequence[ModelEntry]) -> str:
    """What the picker begins with: the first classifier on this machine, else the first of all."""
    return next((entry.name for entry in entries if entry.is_here), entries[0].name)
