"""The form of a fine-tuning: what to train on, and how. Knows no task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import gradio as gr
from gradio.components import Component

from app.settings import settings
from app.ui.components.file_panel import FilePanel, file_panel
from app.ui.events import PRIVATE
from app.ui.texts import mark
from app.ui.widgets import sides

# Written as they are typed: a slider would show 0.0002 as 0.
RATES = ("1e-5", "5e-5", "1e-4", "2e-4", "5e-4", "1e-3", "2e-3", "3e-3", "1e-2")


@dataclass(frozen=True)
class Form:
    """Its components: `fields` in the order of a handler's arguments, `named` as its program names them, and the column
    in which the answer follows."""

    answer: gr.Column
    sample: gr.Dropdown
    lines: gr.Textbox
    panel: FilePanel
    model: gr.Dropdown
    from_scratch: gr.Checkbox
    fields: list[Component]
    named: dict[str, Component]


def tuning_form(slug: str, samples: Sequence[str], methods: Mapping[str, float], encodings: Sequence[str]) -> Form:
    """Draw the form.

    Args:
        slug: of the tab.
        samples: names of the sample sets.
        methods: what can be trained, each with the learning rate that it begins with.
        encodings: what a file may be read as.
    """
    rates = {method: written_rate(rate) for method, rate in methods.items()}
    left, right = sides()
    with left:
        choices = [(mark(slug, f"sample.{name}"), name) for name in samples]
        sample = gr.Dropdown(choices, value=samples[0], label=mark(slug, "sample"), elem_id=f"{slug}-sample")
        lines = gr.Textbox(label=mark(slug, "lines"), lines=8, max_lines=14, elem_id=f"{slug}-lines")
        panel = file_panel(slug, mark(slug, "file"), ("text_column", "pair_column", "label_column"), encodings)
    with right:
        model = gr.Dropdown(label=mark(slug, "model"), elem_id=f"{slug}-model")
        how = [(mark(slug, f"method.{method}"), method) for method in methods]
        method = gr.Dropdown(how, value=next(iter(methods)), label=mark(slug, "method"), elem_id=f"{slug}-method")
        epochs = gr.Slider(
            1, settings().tuned_epochs, 6, step=1, label=mark(slug, "epochs"), elem_id=f"{slug}-epochs"
        )  # fmt: skip
        with gr.Accordion(mark(slug, "more"), open=False, elem_id=f"{slug}-more"):
            first = rates[next(iter(rates))]
            rate = gr.Dropdown(list(RATES), value=first, allow_custom_value=True, label=mark(slug, "learning_rate"))
            with gr.Row():
                batch = gr.Slider(1, 64, 16, step=1, label=mark(slug, "batch_size"), min_width=130)
                share = gr.Slider(0.0, 0.5, 0.25, step=0.05, label=mark(slug, "validation_share"), min_width=130)
            seed = gr.Number(0, precision=0, minimum=0, label=mark(slug, "seed"), min_width=130)
            augment = gr.Checkbox(label=mark(slug, "augment"))
            scratch = gr.Checkbox(label=mark(slug, "from_scratch"), elem_id=f"{slug}-from-scratch")
    how = [model, method, epochs, rate, batch, seed, share, augment, scratch]
    method.input(rates.get, method, rate, show_progress="hidden", **PRIVATE)
    given = [lines, *panel.given, *panel.columns]
    named = {"lines": lines, "model": model, "epochs": epochs, "learning_rate": rate, "batch_size": batch}
    named |= {"validation_share": share, "seed": seed}
    return Form(right, sample, lines, panel, model, scratch, [*given, *how], named)


def written_rate(rate: float) -> str:
    """As `RATES` has it: 0.002 as 2e-3."""
    digits, power = f"{rate:.0e}".split("e")
    return f"{digits}e{int(power)}"


def typed_rate(typed: object) -> object:
    """A rate as a number; what is none stays as it is, to be refused with the range."""
    try:
        return float(typed)
    except (TypeError, ValueError):
        return typed
