"""One answer for all requests of a public example: if a class presses the same button, the model runs once.

Only answers to the tabs' own examples are kept, and shared while they are being computed. The speed of an answer
reveals whether the same question was asked lately; for an example that says nothing about anybody, but for a visitor's
own text it would. Own texts are shared only among those who wait for the same pass (`engine.runtime.batcher`).
"""

from __future__ import annotations

import functools
import inspect
import json
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ParamSpec, TypeVar

from app.engine.runtime.loader import engine
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.settings import ROOT
from app.tasks.cache import TextCache

Given = ParamSpec("Given")
Result = TypeVar("Result")

# The keys with examples in the tabs' texts, and the marks between several texts in one.
PLACES = ("examples", "paragraphs", "templates", "trap", "pairs")
BETWEEN = ("\n", "|", ",")
BYTES = 20_000_000


def once_for_examples(slug: str, *texts: str) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Decorate a task so that its answers to public examples are computed once.

    Args:
        slug: the task's name in the catalog.
        texts: the arguments with texts, or lists of texts.
    """

    def decorate(task: Callable[Given, Result]) -> Callable[Given, Result]:
        signature = inspect.signature(task)

        @functools.wraps(task)
        def answer(*arguments: Given.args, **named: Given.kwargs) -> Result:
            bound = signature.bind(*arguments, **named)
            bound.apply_defaults()
            given = bound.arguments
            asked = [given[name] for name in texts]
            version = _version(given["model"], slug, asked) if _is_public(asked) else 0
            if not version:
                return task(*arguments, **named)
            # As written, because 1, 1.0 and True are equal but not all of them are accepted.
            key = (task.__name__, version, repr(tuple(given.values())))
            return store().get(key, lambda: task(*arguments, **named))

        return answer

    return decorate


def _version(model: object, slug: str, texts: list[object]) -> int:
    """Version of the loaded checkpoint, which depends on file and number format; 0 if it cannot be loaded.

    The task itself reports the error.
    """
    if not isinstance(model, str):
        return 0
    try:
        return engine().get(find(model, "" if model else slug, texts)).version
    except PlaygroundError:
        return 0


def _is_public(value: object) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_public, value))
    return isinstance(value, str) and value in public_texts()


@cache
def public_texts() -> frozenset[str]:
    """All texts in the examples, and their lines and parts."""
    found: set[str] = set()
    for path in (ROOT / "assets" / "tabs").glob("*.json"):
        for words in json.loads(path.read_text(encoding="utf-8")).values():
            found.update(text for place in PLACES for text in _strings(words.get(place)))
    for mark in BETWEEN:
        found |= {part.strip() for text in found for part in text.split(mark)}
    return frozenset(found)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


@cache
def store() -> TextCache[Any]:
    """The answers of this process."""
    return TextCache(BYTES, lambda answer: len(pickle.dumps(answer)))
