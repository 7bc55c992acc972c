"""Gradio is imported without writing the interface files of its components anew."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from unittest.mock import patch

from app.garbage import no_search


def import_gradio() -> None:
    """Import it, for the first time, in three fifths of the time.

    For each of its components Gradio parses the component's source and writes a `.pyi` file beside it, for editors; it
    does not where the source has no file. Its package has these files already.
    """
    with no_search(), patch.object(inspect, "getfile", _fileless(inspect.getfile)):
        import gradio  # noqa: F401


def _fileless(getfile: Callable[[object], str]) -> Callable[[object], str]:
    def found(thing: object) -> str:
        if str(getattr(thing, "__module__", "")).startswith("gradio."):
            raise OSError("not looked for")
        return getfile(thing)

    return found
