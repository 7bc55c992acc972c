"""What a tab is to the shell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import gradio as gr


@dataclass(frozen=True)
class Tab:
    """One tab.

    Attributes:
        slug: its one name: file, endpoint, texts, `?tab=`.
        order: place in the row of tabs, its alone.
        build: draws the tab into the current Gradio context and wires its events.
        warm: loads what the first answer needs; called in the background after start.
    """

    slug: str
    order: int
    build: Callable[[gr.Blocks], None]
    warm: Callable[[], object] | None = None
