"""Below the picker of a visitor's models: another name for the chosen one, deleting it, using it in its own tab.

The tab hands over its tasks (`app.tasks.fine_tune.naming`): this package knows no engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import gradio as gr
from gradio.components import Component

from app.ui.components.tuning.own_models import Own
from app.ui.events import PRIVATE, QUICK, friendly, visitor_of
from app.ui.send import send
from app.ui.texts import language_of, mark, say
from app.views.notes import draw_note

# What the page shows of the visit's models, with the outcome of the named one.
Redraw = Callable[[str, gr.Request], tuple[Any, ...]]


class NamingTasks(Protocol):
    """What the panel asks for."""

    def rename(self, name: str | None, new: object, visitor: str) -> str:
        """Another name for a model; the name as it is now."""

    def delete(self, name: str | None, visitor: str) -> None:
        """Delete a model."""

    def kind_of(self, name: str | None, visitor: str) -> str:
        """What a model was trained on: `text`, `pair` or `tags`; empty for none."""


@dataclass(frozen=True)
class NamingPanel:
    """Its components."""

    new: gr.Textbox
    rename: gr.Button
    delete: gr.Button
    question: gr.HTML
    sure: gr.Button
    keep: gr.Button
    file: gr.Button
    tag: gr.Button

    @property
    def waiting(self) -> list[gr.Button]:
        """Buttons that need a model."""
        return [self.rename, self.delete]

    @property
    def asked(self) -> list[Component]:
        """What is seen only while it is asked whether a model is to be deleted."""
        return [self.question, self.sure, self.keep]


def naming_panel(slug: str) -> NamingPanel:
    """Draw it."""
    with gr.Row(equal_height=True):
        file = gr.Button(mark(slug, "own.file"), visible=False, elem_id=f"{slug}-own-file")
        tag = gr.Button(mark(slug, "own.tag"), visible=False, elem_id=f"{slug}-own-tag")
    with gr.Accordion(mark(slug, "own.title"), open=False, elem_id=f"{slug}-naming"):
        with gr.Row(equal_height=True):
            new = gr.Textbox(label=mark(slug, "own.new"), max_lines=1, min_width=200, elem_id=f"{slug}-new-name")
            rename = gr.Button(mark(slug, "own.rename"), interactive=False, min_width=120, elem_id=f"{slug}-rename")
            delete = gr.Button(mark(slug, "own.delete"), interactive=False, min_width=120, elem_id=f"{slug}-delete")
        question = gr.HTML(visible=False, elem_id=f"{slug}-delete-question")
        with gr.Row():
            sure = gr.Button(mark(slug, "own.sure"), variant="stop", visible=False, elem_id=f"{slug}-delete-sure")
            keep = gr.Button(mark(slug, "own.keep"), visible=False, elem_id=f"{slug}-delete-keep")
    return NamingPanel(new, rename, delete, question, sure, keep, file, tag)


def wire_naming(
    slug: str, panel: NamingPanel, own: Own, drawn: Sequence[Component],
    tasks: NamingTasks, redraw: Redraw,
) -> None:  # fmt: skip
    """Wire its events.

    Args:
        slug: of the tab.
        panel: its components.
        own: the picker of the visitor's models.
        drawn: what shows the visit's models.
        tasks: what names and deletes them.
        redraw: what makes the values of `drawn`.
    """

    @friendly
    def on_rename(name: str, new: str, request: gr.Request) -> tuple[Any, ...]:
        return "", *redraw(tasks.rename(name, new, visitor_of(request)), request)

    def on_ask(name: str, request: gr.Request) -> list[Any]:
        told = say(language_of(request), slug, "own.question", name=name or "")
        return [gr.HTML(draw_note(told), visible=True), *[gr.Button(visible=True)] * 2]

    def on_keep() -> list[Any]:
        return [gr.HTML(visible=False), *[gr.Button(visible=False)] * 2]

    @friendly
    def on_delete(name: str, request: gr.Request) -> tuple[Any, ...]:
        tasks.delete(name, visitor_of(request))
        return *on_keep(), *redraw("", request)

    _wire_use(panel, own, tasks)
    panel.rename.click(on_rename, [own.picker, panel.new], [panel.new, *drawn], **PRIVATE)
    panel.new.submit(on_rename, [own.picker, panel.new], [panel.new, *drawn], **PRIVATE)
    panel.delete.click(on_ask, own.picker, panel.asked, **QUICK)
    panel.keep.click(on_keep, None, panel.asked, **QUICK)
    panel.sure.click(on_delete, own.picker, [*panel.asked, *drawn], **PRIVATE)


def _wire_use(panel: NamingPanel, own: Own, tasks: NamingTasks) -> None:
    """Let the chosen model be used in the tab for its kind, which opens with it chosen."""

    def on_own(name: str, request: gr.Request) -> list[gr.Button]:
        kind = tasks.kind_of(name, visitor_of(request))
        return [gr.Button(visible=kind in ("text", "pair")), gr.Button(visible=kind == "tags")]

    def on_file(name: str, request: gr.Request) -> str:
        return json.dumps({"model": [name], "pairs": tasks.kind_of(name, visitor_of(request)) == "pair"})

    own.follow(on_own, own.picker, [panel.file, panel.tag])
    send(panel.file, on_file, [own.picker], "classification", asks=False)
    send(panel.tag, lambda name: json.dumps({"model": name}), [own.picker], "tagging", asks=False)
