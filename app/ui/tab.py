"""What a tab is to the shell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import gradio as gr
from starlette.routing import BaseRoute


@dataclass(frozen=True)
class Tab:
    """One tab.

    Attributes:
        slug: its one name: file, endpoint, texts, `?tab=`.
        order: place in the story that the tabs tell, its alone.
        build: draws the tab into the current Gradio context and wires its events.
        group: chapter of the story, whose name is `group.{group}` in `playground.json`; none for an empty one. The tabs
            of a group follow one another.
        warm: loads what the first answer needs; called in the background after start.
        routes: further addresses of the server that belong to the tab.
    """

    slug: str
    order: int
    build: Callable[[gr.Blocks], None]
    group: str = ""
    warm: Callable[[], object] | None = None
    routes: Sequence[BaseRoute] = ()
