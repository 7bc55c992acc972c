"""The default example of a tab, answered before anyone asks, so that no tab opens with nothing in it.

The tab's own handler answers, as after a press on its button. What it said is kept in memory and in a file, and found
only under everything that it came from: the values in the fields, the language, the files of every model among the
values, the settings and this program. Another text, another model or another version finds nothing.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import tempfile
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.components import Component
from pydantic import TypeAdapter
from starlette.requests import Request

from app.registry.lookup import BY_NAME
from app.registry.stamp import revision_said, stamp
from app.settings import ROOT, cache_folder, settings
from app.ui.asking import Asking
from app.ui.gradio_internals.components import as_in_event, as_update, from_update
from app.ui.texts import language_of, say
from app.views.html import Markup, tag
from app.visits import own_prefix, remove_leftovers

# What computes and draws the answers besides this project's files.
LIBRARIES = ("torch", "transformers", "scikit-learn", "gradio")
FOLDER = "first-answers"
# Settings on which no answer depends: an image is built without them.
LIMITS = ("waiting", "waiting_per_visit", "waiting_per_address", "caches_mb")
UNRELATED = ("auth", "frames", "warm", "cache", "mode", *LIMITS)


@dataclass(frozen=True)
class FirstAnswer:
    """Where a tab's first answer goes.

    Attributes:
        question: of the tab; every output that is a `gr.State` and may not stay empty is in `kept`.
        note: the output, an HTML text, that begins with the note that this was answered in advance, and what to notice.
        kept: what the states among the outputs hold.
        beside: pickers of the question whose models do not answer as the tab opens.
    """

    question: Asking
    note: Component
    kept: Mapping[Component, Any] = field(default_factory=dict)
    beside: Sequence[Component] = ()


# What of its opening a page brings along: nothing, its fields, or the answer as well.
NOTHING, FIELDS, ANSWERED = "", "fields", "answered"


@dataclass(frozen=True)
class Opening:
    """A tab as it opens.

    Attributes:
        slug: of the tab.
        on_open: what fills its fields.
        filled: the fields.
        first: where its answer goes; none for a tab that opens with no question.
        keys: by which a link names the fields' values.
    """

    slug: str
    on_open: Callable[[gr.Request], Sequence[Any]]
    filled: Sequence[Component]
    first: FirstAnswer | None = None
    keys: Collection[str] = ()
    _turn: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)

    @property
    def shown(self) -> list[Component]:
        """The outputs of `load`."""
        return [*self.filled, *(self.first.question.shown if self.first else ())]

    def load(self, request: gr.Request, brought: str = NOTHING) -> list[Any]:
        """The fields, and the answer to what is in them where there is one; of both only what the page does not have.

        Args:
            request: of the page.
            brought: what the page had from the start (`bring`).
        """
        values = list(self.on_open(request))
        answer = self._answer(values, request)
        had = [bool(brought)] * len(values) + [brought == ANSWERED] * len(answer)
        parts = zip(self.shown, [*values, *answer], had, strict=True)
        return [gr.skip() if has and not _of_session(part) else value for part, value, has in parts]

    def bring(self, request: gr.Request) -> tuple[str, list[Any]]:
        """What the page can have from the start, as it is for everybody: a link's fields are filled when it is open."""
        if self._linked(request):
            return NOTHING, []
        values = list(self.on_open(request))
        if self.first and not self._key(values, language_of(request)):
            return NOTHING, []
        answer = self._answer(values, request)
        return ANSWERED if answer and answer != self._unanswered else FIELDS, [*values, *answer]

    def _linked(self, request: gr.Request) -> bool:
        return any(key in request.query_params for key in self.keys)

    @property
    def _unanswered(self) -> list[Any]:
        return [gr.skip()] * len(self.first.question.shown) if self.first else []

    def _answer(self, values: Sequence[Any], request: gr.Request) -> list[Any]:
        """To what is in the fields; nothing that would change the page where there is none."""
        if not self.first:
            return []
        key = self._key(values, language_of(request))
        path = self._path(language_of(request), key)
        kept, outputs = _read(path) if key else None, self.first.question.shown
        if kept is None:
            return self._unanswered
        return [self._opened(path, *pair) for pair in zip(outputs, kept, strict=True)]

    def make(self, language: str) -> bool:
        """Answer what the tab begins with in a language; False where that cannot be, and the tab opens empty."""
        if not self.first:
            return False
        with self._turn:  # a request that arrives meanwhile waits for that answer
            return as_in_event(lambda: self._make(language))

    def _make(self, language: str) -> bool:
        request = _request(language)
        values = list(self.on_open(request))
        key = self._key(values, language)
        if not key:
            return False
        path = self._path(language, key)
        if _read(path) is not None:
            return True
        question, asked = self.first.question, self._asked(values)
        given = [*asked, *(one.value for one in question.also)]
        given.insert([*inspect.signature(question.handler).parameters].index("request"), request)
        try:
            answer = _last(question.handler(*given))
        except gr.Error:  # as a visitor would see: the model is not here
            return False
        said = answer if len(question.shown) > 1 else (answer,)
        note = _caption(self.slug, language, self._answering(asked))
        kept = [self._closed(one, value, note) for one, value in zip(question.shown, said, strict=True)]
        _write(path, json.dumps(kept, ensure_ascii=False))
        return True

    def _asked(self, values: Sequence[Any]) -> list[Any]:
        """What the question's inputs hold once the fields are filled."""
        given = {id(component): as_update(value) for component, value in zip(self.filled, values, strict=True)}
        now = [(given.get(id(one), one.value), one.value) for one in self.first.question.asked]
        return [value.get("value", begun) if isinstance(value, dict) else value for value, begun in now]

    def _answering(self, asked: Sequence[Any]) -> list[str]:
        pairs = zip(self.first.question.asked, asked, strict=True)
        return _models([value for one, value in pairs if one not in self.first.beside])

    def _key(self, values: Sequence[Any], language: str) -> str:
        """Everything that the answer depends on, as one word; empty where a model's files have no known version."""
        pairs = zip(self.first.question.asked, self._asked(values), strict=True)
        asked = [value for one, value in pairs if not isinstance(one, gr.State)]
        stamps = {name: stamp(name) for name in _models(asked)}
        if not stamps or not all(stamps.values()):
            return ""
        host = {name: value for name, value in asdict(settings()).items() if name not in UNRELATED}
        whole = json.dumps([self.slug, language, asked, stamps, host, program()])
        return hashlib.sha256(whole.encode()).hexdigest()[:24]

    def _path(self, language: str, key: str) -> Path:
        return cache_folder() / FOLDER / f"{self.slug}-{language}-{key}.json"

    def _closed(self, output: Component, value: Any, note: str) -> Any:
        """An output as it is kept."""
        if output is self.first.note:
            return f"{note}{value or ''}"
        if output in self._adapters:
            return self._adapters[output].dump_python(value, mode="json")
        return as_update(value)

    def _opened(self, path: Path, output: Component, value: Any) -> Any:
        """The same as the handler returned it.

        What a state holds is made once for all visits: it cost 300 kB in each. Handlers make new states of old ones
        and change none, and a list is each visit's own.
        """
        adapter = self._adapters.get(output)
        if adapter is None:
            return from_update(output, value)
        states = _states.setdefault(path, {})
        if output not in states:
            states[output] = adapter.validate_python(value)
        return copy(states[output])

    @cached_property
    def _adapters(self) -> dict[Component, TypeAdapter[Any]]:
        """Of the states: to plain data and back. Made at the first answer, as they take a while."""
        return {state: TypeAdapter(held) for state, held in self.first.kept.items()}


def _of_session(component: Component) -> bool:
    """Does the server look at what a visit's session has of it? A choice is taken only of what was offered there."""
    return isinstance(component, gr.State) or hasattr(component, "choices")


def _models(asked: Sequence[Any]) -> list[str]:
    """The catalog's models among the values, of one picker or several."""
    names = [name for value in asked for name in (value if isinstance(value, list) else [value])]
    return list(dict.fromkeys(name for name in names if isinstance(name, str) and name in BY_NAME))


def _caption(slug: str, language: str, models: Sequence[str]) -> Markup:
    bundled = say(language, "playground", "bundled")
    named = ", ".join(f"{name} ({revision_said(name).replace('bundled', bundled, 1)})" for name in models)
    said = tag("small", say(language, "playground", "in_advance"), title=named)
    return tag("p", say(language, slug, "notice"), " ", said, class_="note in-advance")


def _request(language: str) -> gr.Request:
    """What a page without a link sends."""
    return gr.Request(Request({"type": "http", "query_string": f"lang={language}".encode(), "headers": []}))


def _last(answer: Any) -> Any:
    """A handler's answer, of one that grows the whole."""
    if isinstance(answer, Iterator):
        for grown in answer:
            last = grown
        return last
    return answer


@cache
def program() -> str:
    """Changes with this program and with what computes its answers."""
    digest = hashlib.sha256(" ".join(version(name) for name in LIBRARIES).encode())
    for folder, ending in (("app", "py"), ("app", "js"), ("app", "toml"), ("demos", "py"), ("assets/tabs", "json")):
        for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


_kept: dict[Path, list[Any]] = {}
# The states among them.
_states: dict[Path, dict[Component, Any]] = {}


def _read(path: Path) -> list[Any] | None:
    if path not in _kept:
        try:
            _kept[path] = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # not there, or cut off
            return None
    return _kept[path]


def _write(path: Path, content: str) -> None:
    """Put a whole file in its place; those of the same tab and language are of models or programs that are gone."""
    _kept[path] = json.loads(content)
    _states.pop(path, None)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"{path.name.rpartition('-')[0]}-*.json"):
            old.unlink(missing_ok=True)
        remove_leftovers(path.parent)
        descriptor, half = tempfile.mkstemp(dir=path.parent, prefix=own_prefix(), suffix=".half")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(half, path)
    except OSError:  # no room, or a read-only disk: it is in memory
        return
