"""Above the buttons of the form: what is proposed for its rows, each with a button that does it. Knows no task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gradio as gr

from app.results.tuning.advice import TuningAdvice
from app.ui.events import PRIVATE, QUICK
from app.ui.texts import language_of, mark, say
from app.views.notes import draw_note

Advise = Callable[..., TuningAdvice]


@dataclass(frozen=True)
class AdvicePanel:
    """Its components; the proposed settings are in `more`."""

    few: gr.HTML
    fold: gr.Button
    uneven: gr.HTML
    weigh: gr.Button
    more: gr.Accordion
    folds: gr.Dropdown
    weighed: gr.Checkbox


def draw_advice(slug: str) -> tuple[gr.HTML, gr.Button, gr.HTML, gr.Button]:
    """Two sentences and their buttons, none of which is seen yet."""
    few = gr.HTML(visible=False, elem_id=f"{slug}-few")
    fold = gr.Button(mark(slug, "advice.fold"), visible=False, size="sm", elem_id=f"{slug}-fold")
    uneven = gr.HTML(visible=False, elem_id=f"{slug}-uneven")
    weigh = gr.Button(mark(slug, "advice.weigh"), visible=False, size="sm", elem_id=f"{slug}-weigh")
    return few, fold, uneven, weigh


def wire_advice(slug: str, panel: AdvicePanel, rows: list[Any], advise: Advise) -> None:
    """Update the proposals whenever the rows or the proposed settings change; what is chosen already is not proposed.

    Args:
        slug: of the tab.
        panel: its components.
        rows: fields that say which rows.
        advise: what to propose for them.
    """

    # Gradio hands the request over in the place of the argument that is declared as one.
    def on_rows(request: gr.Request, *given: Any) -> tuple[Any, ...]:
        *fields, folds, weighed = given
        made, language = advise(*fields), language_of(request)
        few, uneven = bool(made.folds) and not folds, made.uneven and not weighed
        return *propose(few, language, "advice.few", made), *propose(uneven, language, "advice.uneven", made)

    def propose(shown: bool, language: str, key: str, made: TuningAdvice) -> tuple[Any, ...]:
        said = draw_note(say(language, slug, key, **vars(made)) if shown else "")
        return gr.HTML(said, visible=shown), gr.Button(visible=shown)

    def on_fold(*given: Any) -> tuple[Any, ...]:
        return advise(*given).folds, gr.Accordion(open=True)

    watched = [*rows, panel.folds, panel.weighed]
    proposed = [panel.few, panel.fold, panel.uneven, panel.weigh]
    gr.on([one.change for one in watched], on_rows, watched, proposed, trigger_mode="always_last", **QUICK)
    panel.fold.click(on_fold, rows, [panel.folds, panel.more], **PRIVATE)
    panel.weigh.click(lambda: (True, gr.Accordion(open=True)), None, [panel.weighed, panel.more], **PRIVATE)
