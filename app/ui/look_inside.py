"""The way from every other tab to attention: opened in place below an answer, or sent to the attention tab."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Protocol

import gradio as gr
from gradio.components import Component

from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.attention import AttentionOpening
from app.ui.asking import Asking
from app.ui.components.attention import SLUG, Answer, attention_view, opened
from app.ui.events import friendly
from app.ui.send import send
from app.ui.texts import language_of, mark

Models = str | list[str] | None


class AttentionTasks(Protocol):
    """What the panel asks; `app.tasks.attention.page` is it."""

    ANSWERS: Sequence[Answer]
    open_attention: Callable[..., AttentionOpening]


def look_inside(
    slug: str,
    tasks: AttentionTasks,
    *,
    text: Component,
    models: Component,
    second: Component | None = None,
    first_of_lines: bool = False,
) -> None:
    """Draw the panel: attention of the tab's text in place, and a button that sends it to the attention tab.

    Args:
        slug: of the tab.
        tasks: `app.tasks.attention.page`.
        text: the tab's text.
        models: its model, or models: the first is opened, a second one goes along to the attention tab.
        second: its second text.
        first_of_lines: its text is a list of lines, of which the first is taken.
    """

    @friendly
    def on_here(text: str, models: Models, second: str, request: gr.Request) -> str:
        text = first_line(text) if first_of_lines else text
        opening = tasks.open_attention(text, second or "", attentive(models)[0])
        return opened(opening, language_of(request), with_steps=False)

    asked = [text, models, second if second is not None else gr.State("")]
    with gr.Accordion(mark("playground", "inside_title"), open=False, elem_id=f"{slug}-inside") as panel:
        with gr.Row():
            here = gr.Button(mark("playground", "inside_here"), size="sm", elem_id=f"{slug}-inside-here")
            there = gr.Button(
                mark("playground", "inside_there"), size="sm", elem_id=f"{slug}-inside-there", elem_classes="inside"
            )
        view = attention_view(f"{slug}-inside-view", tasks.ANSWERS)
    Asking(on_here, asked, [view], [view]).on(panel.expand, here.click)
    send(there, sending(first_of_lines), asked, SLUG)


def first_line(lines: str) -> str:
    """The first line that is not empty, without the label before a bar."""
    filled = [line for line in lines.splitlines() if line.strip()]
    return filled[0].rpartition("|")[2].strip() if filled else ""


def attentive(models: Models) -> list[str]:
    """The models that have attention; one empty name, for the default, where none was chosen.

    Raises:
        PlaygroundError: `wrong_model` and its like: none of them has.
    """
    names, refused = [models] if isinstance(models, str) else list(models or []), None
    found = []
    for name in names:
        try:
            found.append(find(name, SLUG).name)
        except PlaygroundError as error:
            refused = error
    if refused and not found:
        raise refused
    return found or [""]


def sending(first_of_lines: bool) -> Callable[..., str]:
    """The handler that says what the attention tab opens with."""

    @friendly
    def on_there(text: str, models: Models, second: str, request: gr.Request) -> str:
        first, *others = attentive(models)
        text = first_line(text) if first_of_lines else text
        model, other = first or find("", SLUG).name, others[0] if others else ""
        return json.dumps({"text": text, "second": second or "", "model": model, "other": other})

    return on_there
