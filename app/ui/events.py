"""The edge between Gradio and the rest: errors become sentences here, and typed functions become endpoints."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable
from typing import Any, TypeVar

import gradio as gr

from app.errors import PlaygroundError
from app.results import as_json
from app.ui.texts import DEFAULT, language_of, say

Handler = TypeVar("Handler", bound=Callable[..., Any])

# No handler shows up in the API; the endpoints of `endpoint` do.
PRIVATE = {"api_visibility": "private"}


def sentence(error: PlaygroundError, language: str) -> str:
    """The error in words, with its code in brackets. Gradio shows it as HTML, so what came from outside is escaped."""
    values = {name: html.escape(str(value)) for name, value in error.values.items()}
    return f"{say(language, 'errors', error.key, **values)} ({error.code})"


def friendly(handler: Handler) -> Handler:
    """A handler whose `PlaygroundError` reaches the visitor as a sentence in their language."""

    @functools.wraps(handler)
    def wrapped(*arguments: Any) -> Any:
        try:
            return handler(*arguments)
        except PlaygroundError as error:
            request = next((given for given in arguments if isinstance(given, gr.Request)), None)
            raise gr.Error(sentence(error, language_of(request)), print_exception=False) from error

    return wrapped


def endpoint(task: Callable[..., Any], *, api_name: str) -> None:
    """Register a typed task as a public endpoint that returns its result as plain JSON.

    Signature and docstring become the API page and the MCP tool. Errors are in English.
    """

    @functools.wraps(task)
    def called(*arguments: Any) -> Any:
        try:
            result = task(*arguments)
        except PlaygroundError as error:
            raise gr.Error(sentence(error, DEFAULT), print_exception=False) from error
        return [as_json(entry) for entry in result] if isinstance(result, list) else as_json(result)

    called.__name__ = api_name  # MCP tools are named after the function
    called.__annotations__ = {**task.__annotations__, "return": "dict"}
    gr.api(called, api_name=api_name, concurrency_limit=None)
