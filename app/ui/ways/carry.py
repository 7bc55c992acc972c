"""One text on its way through the tabs: a button takes it along into another tab, which answers it at once.

A tab draws the buttons with `carry`; the others say with `take` where a text is put; the shell joins them when all tabs
are drawn. Attention has a way of its own (`look_inside`), as it takes models and a second text along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import gradio as gr
from gradio.components import Component

from app.registry.lookup import readers
from app.ui.asking import Asking
from app.ui.events import PRIVATE
from app.ui.texts import mark


@dataclass(frozen=True)
class Taker:
    """Where a tab takes a text: its field, what it asks then, its one model and the task that this must know."""

    text: Component
    question: Asking
    model: Component | None
    task: str


@dataclass
class Carried:
    """What the tabs of one page have said so far: the takers by slug, each button with its slug and its text."""

    takers: dict[str, Taker] = field(default_factory=dict)
    buttons: list[tuple[gr.Button, str, Component]] = field(default_factory=list)


def carried_of(page: gr.Blocks) -> Carried:
    """The page's own."""
    if not hasattr(page, "carried"):
        page.carried = Carried()
    return page.carried


def carry(page: gr.Blocks, slug: str, text: Component, others: Sequence[str]) -> None:
    """Draw a button for each of the other tabs, by slug, which takes the text of this one along."""
    with gr.Row(elem_classes=["inside", "carry"]):
        gr.Markdown(mark("playground", "carry"))
        for other in others:
            button = gr.Button(mark(other, "title"), size="sm", min_width=120, elem_id=f"{slug}-to-{other}")
            carried_of(page).buttons.append((button, other, text))


def take(
    page: gr.Blocks, slug: str, text: Component, question: Asking, model: Component | None = None, task: str = ""
) -> None:
    """A text that is carried here goes into this field and is asked; by a model that knows its language."""
    carried_of(page).takers[slug] = Taker(text, question, model, task)


def join_carried(page: gr.Blocks, tabs: gr.Tabs) -> None:
    """Wire every button to its tab, if the page has it."""
    carried = carried_of(page)
    for button, slug, text in carried.buttons:
        if taker := carried.takers.get(slug):
            models = [taker.model] if taker.model is not None else []
            filled = [taker.text, *models, tabs]
            sent = button.click(_taking(slug, taker.task), [text, *models], filled, **PRIVATE)
            taker.question.after(sent)
            sent.then(None, None, None, js="() => { scrollTo({ top: 0 }); }", **PRIVATE)


def _taking(slug: str, task: str) -> Callable[..., tuple[object, ...]]:
    def on_taken(text: str, *model: str) -> tuple[object, ...]:
        return text, *(readers([one], text, task)[0] for one in model), gr.Tabs(selected=slug)

    return on_taken
