"""The form of a fine-tuning: what to train on, and how. Knows no task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import gradio as gr
from gradio.components import Component

from app.settings import settings
from app.ui.components.file_panel import FilePanel, file_panel
from app.ui.components.tuning.advice_panel import AdvicePanel, draw_advice
from app.ui.events import PRIVATE, QUICK
from app.ui.texts import language_of, mark, say
from app.ui.widgets import sides

# What can be chosen besides one split.
FOLDS = (2, 3, 4, 5, 6, 8, 10)
# Written as they are typed: a slider would show 0.0002 as 0.
RATES = ("1e-5", "5e-5", "1e-4", "2e-4", "5e-4", "1e-3", "2e-3", "3e-3", "1e-2")


@dataclass(frozen=True)
class Form:
    """Its components; `fields` in the order of a handler's arguments, `rows` those of them that say which rows, `named`
    as its program names them; `advice` proposes some of them; `answer` is the column in which the answer follows."""

    answer: gr.Column
    sample: gr.Dropdown
    lines: gr.Textbox
    panel: FilePanel
    model: gr.Dropdown
    from_scratch: gr.Checkbox
    fields: list[Component]
    rows: list[Component]
    start: gr.Button
    stop: gr.Button
    scratch: gr.Button
    named: dict[str, Component]
    advice: AdvicePanel


def tuning_form(
    slug: str,
    samples: Sequence[str],
    methods: Mapping[str, float],
    methods_of: Callable[[str], list[str]],
    encodings: Sequence[str],
) -> Form:
    """Draw the form.

    Args:
        slug: of the tab.
        samples: names of the sample sets.
        methods: what can be trained, each with the learning rate that it begins with.
        methods_of: those that a model can be trained by, its own first.
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
        most = settings().tuned_epochs
        epochs = gr.Slider(1, most, 6, step=1, label=mark(slug, "epochs"), elem_id=f"{slug}-epochs")
        more, settled = _settings(slug, next(iter(rates.values())))
        advice = AdvicePanel(*draw_advice(slug), more, settled["folds"], settled["weighed"])
        start, stop, anew = _buttons(slug)
    how = [model, method, epochs, *settled.values()]
    rate, scratch = settled["learning_rate"], settled["from_scratch"]
    _follow(slug, model, method, rate, rates, methods_of)
    given = [lines, *panel.given, *panel.columns]
    in_code = ("learning_rate", "batch_size", "validation_share", "seed")
    named = {"lines": lines, "model": model, "epochs": epochs, **{name: settled[name] for name in in_code}}
    return Form(right, sample, lines, panel, model, scratch, [*given, *how], given, start, stop, anew, named, advice)


def _settings(slug: str, rate: str) -> tuple[gr.Accordion, dict[str, Component]]:
    """What most trainings leave as it is, in the order of a handler's arguments."""
    with gr.Accordion(mark(slug, "more"), open=False, elem_id=f"{slug}-more") as more:
        rates = gr.Dropdown(list(RATES), value=rate, allow_custom_value=True, label=mark(slug, "learning_rate"))
        with gr.Row():
            batch = gr.Slider(1, 64, 16, step=1, label=mark(slug, "batch_size"), min_width=130)
            share = gr.Slider(0.0, 0.5, 0.25, step=0.05, label=mark(slug, "validation_share"), min_width=130)
        seed = gr.Number(0, precision=0, minimum=0, label=mark(slug, "seed"), min_width=130)
        choices = [(mark(slug, "folds.none"), 0), *((mark(slug, f"folds.{count}"), count) for count in FOLDS)]
        folds = gr.Dropdown(choices, value=0, label=mark(slug, "folds.label"), elem_id=f"{slug}-folds")
        weighed = gr.Checkbox(label=mark(slug, "weighed.label"), elem_id=f"{slug}-weighed")
        augment = gr.Checkbox(label=mark(slug, "augment"))
        scratch = gr.Checkbox(label=mark(slug, "from_scratch"), elem_id=f"{slug}-from-scratch")
    settled = {"learning_rate": rates, "batch_size": batch, "seed": seed, "validation_share": share}
    return more, {**settled, "augment": augment, "from_scratch": scratch, "weighed": weighed, "folds": folds}


def _buttons(slug: str) -> list[gr.Button]:
    """Start, stop, and the same from scratch."""
    with gr.Row(equal_height=True):
        return [
            gr.Button(mark(slug, "start"), variant="primary", elem_id=f"{slug}-start"),
            gr.Button(mark(slug, "stop"), elem_id=f"{slug}-stop"),
            gr.Button(mark(slug, "compare"), elem_id=f"{slug}-scratch"),
        ]


def _follow(
    slug: str,
    model: gr.Dropdown,
    method: gr.Dropdown,
    rate: gr.Dropdown,
    rates: Mapping[str, str],
    methods_of: Callable[[str], list[str]],
) -> None:
    """Let the methods follow the model, and the rate the method; what is solved has no rate."""

    def on_model(chosen: str, asked: str, request: gr.Request) -> tuple[object, ...]:
        having, language = methods_of(chosen) or [asked], language_of(request)
        kept = asked if asked in having else having[0]
        choices = [(say(language, slug, f"method.{one}"), one) for one in having]
        return gr.Dropdown(choices=choices, value=kept), gr.skip() if kept == asked else on_method(kept)

    def on_method(chosen: str) -> object:
        return rates.get(chosen, gr.skip())

    model.change(on_model, [model, method], [method, rate], **QUICK)
    method.input(on_method, method, rate, show_progress="hidden", **PRIVATE)


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
