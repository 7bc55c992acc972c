"""Below the table of runs: some of them side by side. Knows no task and no view; the tab hands them over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import gradio as gr

from app.ui.asking import Asking
from app.ui.components.tuning.own_models import Own
from app.ui.events import friendly, visitor_of
from app.ui.texts import language_of, mark, texts

Draw = Callable[[Any, Any, Mapping[str, str]], str]


class CompareTasks(Protocol):
    """What the panel asks for; `app.tasks.fine_tune.comparing` is it."""

    FEWEST: int
    MOST: int

    def names_of(self, visitor: str) -> list[str]:
        """The runs of the visit, the oldest first."""

    def compare(self, names: list[str], visitor: str) -> tuple[Any, Any]:
        """Some of them, and the rows on which they differ."""


def compare_panel(slug: str, own: Own, tasks: CompareTasks, draw: Draw) -> None:
    """Draw the panel and wire its events; it is seen once there are two runs.

    Args:
        slug: of the tab.
        own: the picker of the visitor's models, which changes with every run.
        tasks: what compares.
        draw: what draws it.
    """

    def on_runs(chosen: list[str], request: gr.Request) -> tuple[Any, ...]:
        names = tasks.names_of(visitor_of(request))
        kept = [name for name in chosen or [] if name in names]
        value = kept if len(kept) >= tasks.FEWEST else names[-tasks.FEWEST :]
        several = len(names) >= tasks.FEWEST
        return gr.Dropdown(choices=names, value=value, visible=several), gr.Button(visible=several)

    @friendly
    def on_compare(chosen: list[str], request: gr.Request) -> str:
        return draw(*tasks.compare(chosen or [], visitor_of(request)), texts(slug)[language_of(request)])

    many = {"multiselect": True, "max_choices": tasks.MOST, "visible": False}
    with gr.Row(equal_height=True):
        who = gr.Dropdown(label=mark(slug, "compare.who"), elem_id=f"{slug}-compared", **many)
        run = gr.Button(mark(slug, "compare.run"), visible=False, min_width=160, elem_id=f"{slug}-compare")
    answer = gr.HTML(elem_id=f"{slug}-comparison")
    own.follow(on_runs, who, [who, run])
    Asking(on_compare, [who], [answer], [answer]).on(run.click)
