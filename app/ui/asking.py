"""A question of a tab and its answer: dimmed once it answers something else, replaced by an error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import gradio as gr
from gradio.components import Component
from gradio.events import Dependency

from app.ui.events import PRIVATE
from app.ui.texts import LANGUAGES, say


@dataclass(frozen=True)
class Asking:
    """A handler with its inputs and outputs, and what of the outputs a visitor reads as the answer.

    Attributes:
        handler: computes the answer.
        asked: its inputs.
        shown: its outputs.
        answer: the outputs that are dimmed and emptied; each has an `elem_id`.
        also: further inputs, which may change without the answer becoming an old one.
        read: JavaScript from the inputs to the inputs, for what only the browser knows in the moment of the click.
        grows: the answer is shown while it comes.
        quiet: without Gradio's own sign of progress.
        places: in the queue, where it takes long (`events.LONG`).
    """

    handler: Callable[..., Any]
    asked: Sequence[Component]
    shown: Sequence[Component]
    answer: Sequence[Component]
    also: Sequence[Component] = ()
    read: str = "(...values) => values"
    grows: bool = False
    quiet: bool = False
    places: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for one in self.answer:  # a lesson hides it until the class has guessed
            one.elem_classes = [*one.elem_classes, "to-reveal"]

    @property
    def group(self) -> str:
        """What of the page holds the answer, for the page's script."""
        return json.dumps(" ".join(str(one.elem_id) for one in self.answer))

    @property
    def _event(self) -> dict[str, Any]:
        asked = f"({self.read})(...values), {len(self.asked)}, {json.dumps(self.grows)}"
        js = f"(...values) => playground.ask({self.group}, {asked})"
        progress = "hidden" if self.quiet else "full"
        inputs = [*self.asked, *self.also]
        shown = {"outputs": [*self.shown], "show_progress": progress}
        return {"fn": self.handler, "inputs": inputs, "js": js, **shown, **self.places}

    def on(self, *triggers: Callable[..., Any]) -> Dependency:
        """Ask when one of these happens; a later change of an input dims the answer."""
        changes = [one.change for one in self.asked if not isinstance(one, gr.State) and hasattr(one, "change")]
        js = f"(...values) => playground.compare({self.group}, values, {_stale()})"
        gr.on(changes, None, [*self.asked], None, js=js, **PRIVATE)
        return self._kept(gr.on(list(triggers), **self._event, **PRIVATE))

    def after(self, before: Dependency) -> Dependency:
        """Ask when this has happened."""
        return self._kept(before.then(**self._event, **PRIVATE))

    def _kept(self, event: Dependency) -> Dependency:
        answered = f"(...values) => playground.answered({self.group}, values, {_stale()})"
        event.success(None, [*self.asked], None, js=answered, **PRIVATE)
        event.failure(None, None, None, js=f"() => playground.failed({self.group})", **PRIVATE)
        return event


@cache
def _stale() -> str:
    return json.dumps({language: say(language, "playground", "stale") for language in LANGUAGES}, ensure_ascii=False)
