"""The picker of a visitor's models, and what follows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr
from gradio.events import Dependency

from app.ui.events import QUICK


@dataclass(frozen=True)
class Own:
    """A picker, and the event by which the tab is filled when it is opened."""

    picker: gr.Dropdown
    opened: Dependency

    def follow(self, handler: Callable[..., Any], given: Any, filled: Any) -> None:
        """Call a handler when another model is chosen, and when the page is open.

        A page that left the server with a model in its picker tells of no change.
        """
        self.picker.change(handler, given, filled, **QUICK)
        self.opened.then(handler, given, filled, **QUICK)

    def wait(self, buttons: list[gr.Button]) -> None:
        """Let buttons that need a model of the visitor's wait until there is one."""
        self.follow(lambda name: [gr.Button(interactive=bool(name))] * len(buttons), self.picker, buttons)
