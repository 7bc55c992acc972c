"""What a tab hands over to another one, which opens with it in its fields and answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import gradio as gr
from gradio.components import Component

from app.ui.events import PRIVATE


def send(
    button: gr.Button, prepare: Callable[..., str], given: Sequence[Component], slug: str, *, asks: bool = True
) -> None:
    """Let a button open another tab.

    Args:
        button: in the tab that sends.
        prepare: from the values of the given components to the other tab's fields, as JSON by the keys of its links.
        given: components of the tab that sends.
        slug: of the other tab.
        asks: whether the other tab answers at once.
    """
    fields = gr.Textbox(visible="hidden")
    js = f"(fields) => playground.take({json.dumps(slug)}, JSON.parse(fields), {json.dumps(asks)})"
    button.click(prepare, [*given], fields, **PRIVATE).success(None, fields, None, js=js, **PRIVATE)
