"""The edge between Gradio and the rest: errors become sentences here, and typed functions become endpoints."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import gradio as gr

from app.errors import PlaygroundError
from app.metrics import measured
from app.results.text import as_json
from app.ui.texts import DEFAULT, language_of, notes_on, say, texts
from app.views.html import Markup, join
from app.visits import key_in

Handler = TypeVar("Handler", bound=Callable[..., Any])

# No handler shows up in the API; the endpoints of `endpoint` do.
PRIVATE = {"api_visibility": "private"}
# For what takes a few milliseconds and happens in every tab whenever the page is opened: through Gradio's queue a
# request costs some 20 ms of the server, past it 5.
QUICK = {"queue": False, "show_progress": "hidden", **PRIVATE}

# What takes long has places of its own in the queue, all of a kind together; the rest of them (`shell.THREADS`) is
# always left to what takes a moment. Writing has as many as share the passes of a model, training as many as may
# stand in its line.
WRITING = {"concurrency_id": "writing", "concurrency_limit": 32}
TRAINING = {"concurrency_id": "training", "concurrency_limit": 16}
LONG = {"concurrency_id": "long", "concurrency_limit": 24}
# Pages that were opened before the server had prepared what they show, and wait for it.
OPENING = {"concurrency_id": "opening", "concurrency_limit": 16}
KINDS = frozenset(kind["concurrency_id"] for kind in (WRITING, TRAINING, LONG))


def words_of(error: PlaygroundError, language: str) -> str:
    """The error as a page says it, plain text."""
    return say(language, "errors", error.key, **error.values)


def sentence(error: PlaygroundError, language: str) -> str:
    """The same with its code in brackets: as an API client reads it."""
    return f"{words_of(error, language)} ({error.code})"


def sentence_as_html(error: PlaygroundError, language: str) -> Markup:
    """The words as HTML: what a visitor wrote never becomes markup, nor does the `<mask>` of our own sentence."""
    return join(words_of(error, language))


class Told(gr.Error):
    """An error as a page shows it, in words alone; as text it ends with its code."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message, print_exception=False)
        self.code = code

    def __str__(self) -> str:
        return f"{self.message} ({self.code})"


def _toast(error: PlaygroundError, arguments: tuple[Any, ...], handler: Callable[..., Any]) -> gr.Error:
    """The error as Gradio shows it, which takes the message for HTML, in the language of the request."""
    language = language_of(next((given for given in arguments if isinstance(given, gr.Request)), None))
    slug = getattr(handler, "__globals__", {}).get("SLUG", "errors")
    return Told(sentence_as_html(_as_labelled(error, language, slug), language), error.code)


def _as_labelled(error: PlaygroundError, language: str, slug: str) -> PlaygroundError:
    """The error with its field named as the tab labels it; programs read the name of the argument, as `row 3`."""
    name, _, number = str(error.values.get("field", "")).partition(" ")
    named = texts("errors")[language].get(f"field.{name}.number" if number.isdecimal() else f"field.{name}")
    if not named:
        return error
    label = named.format(number=number) if number else texts(slug)[language].get(name, named)
    return PlaygroundError(error.code, error.reason, **{**error.values, "field": label})


def friendly(handler: Handler) -> Handler:
    """A handler whose `PlaygroundError` reaches the visitor as a sentence in their language."""

    @functools.wraps(handler)
    def wrapped(*arguments: Any) -> Any:
        try:
            with measured(_task_of(handler)):
                return handler(*arguments)
        except PlaygroundError as error:
            raise _toast(error, arguments, handler) from error

    return wrapped


def friendly_stream(handler: Handler) -> Handler:
    """The same for a handler that shows its answer as it grows."""

    @functools.wraps(handler)
    def wrapped(*arguments: Any) -> Iterator[Any]:
        try:
            with measured(_task_of(handler)):
                yield from handler(*arguments)
        except PlaygroundError as error:
            raise _toast(error, arguments, handler) from error

    return wrapped


def _task_of(handler: Callable[..., Any]) -> str:
    """A handler's name among the server's figures, `fill_mask.on_run`; endpoints have theirs, `/fill_mask`."""
    return f"{handler.__module__.rpartition('.')[2]}.{handler.__name__}"


def endpoint(
    page: gr.Blocks,
    task: Callable[..., Any],
    *,
    api_name: str,
    places: Mapping[str, Any] = {"concurrency_limit": None},
    later: Sequence[str] = (),
) -> None:
    """A typed task as a public endpoint that returns its result as plain JSON; `add_endpoints` puts it on the page.

    Signature and docstring become the API page and the MCP tool. Errors are in English. A task's argument `visitor`
    is no part of them: it is filled with the key of the caller's session, so that nobody can name another's.
    `places` are those of its kind in the queue; `later` names the last arguments, of those that the contract got later:
    calls without it are answered as before.
    """
    signature = inspect.signature(task)
    parameters = dict(signature.parameters)
    added_later(page)[api_name] = [parameters[name].default for name in later]
    owned = parameters.pop("visitor", None) is not None

    @functools.wraps(task)
    def called(*arguments: Any) -> Any:
        given, visit = (arguments[:-1], {"visitor": visitor_of(arguments[-1])}) if owned else (arguments, {})
        try:
            with measured(f"/{api_name}"):
                result = task(*given, **visit)
        except PlaygroundError as error:
            raise gr.Error(sentence(error, DEFAULT), print_exception=False) from error
        return [_said(as_json(entry)) for entry in result] if isinstance(result, list) else _with_notes(as_json(result))

    called.__name__ = api_name  # MCP tools are named after the function
    hints = {name: hint for name, hint in task.__annotations__.items() if name != "visitor"}
    called.__annotations__ = {**hints, "return": "dict"}
    called.__doc__ = VISITOR_LINE.sub("", task.__doc__ or "")
    if owned:
        place = inspect.Parameter("request", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
        parameters["request"], called.__annotations__["request"] = place, gr.Request
    called.__signature__ = signature.replace(parameters=list(parameters.values()))
    endpoints_of(page).append(partial(gr.api, called, api_name=api_name, **places))


def added_later(page: gr.Blocks) -> dict[str, list[Any]]:
    """By endpoint, the defaults of its last arguments that calls may leave away."""
    if not hasattr(page, "added_later"):
        page.added_later = {}
    return page.added_later


def endpoints_of(page: gr.Blocks) -> list[Callable[[], object]]:
    """What adds the endpoints of the tabs that were drawn so far."""
    if not hasattr(page, "endpoints"):
        page.endpoints = []
    return page.endpoints


def add_endpoints(page: gr.Blocks) -> None:
    """Put all of them on the first page, whose description of the API then names them all."""
    page.current_page = ""
    with page:
        for add in endpoints_of(page):
            add()


def _said(entry: dict[str, Any]) -> dict[str, Any]:
    """An entry with its errors as sentences, in English."""
    errors = {key: sentence(value, DEFAULT) for key, value in entry.items() if isinstance(value, PlaygroundError)}
    return {**entry, **errors}


def _with_notes(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer with `notes` where something is to be said of how its model runs just now, in English."""
    notes = notes_on(DEFAULT, answer.get("model", ""))
    return {**answer, "notes": notes} if notes else answer


# The docstring's line on an argument that callers do not see.
VISITOR_LINE = re.compile(r"^ +visitor: .*\n", re.MULTILINE)


def visitor_of(request: gr.Request | None) -> str:
    """Key of the visit: the browser's, else a page's or an API client's session; empty for a call without either, which
    owns nothing."""
    if request is None:
        return ""
    return key_in(request.headers.get("cookie", "")) or request.session_hash or ""
