"""Attention: lines, matrix, all heads, rollout, step by step; what each layer predicts. `python -m demos.attention`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import gradio as gr

from app.errors import PlaygroundError
from app.registry.lookup import for_task
from app.results_inside import Packed
from app.tasks.attention import attention
from app.tasks.attention_parts import (
    all_heads,
    exact_row,
    exact_weights,
    head_steps,
    one_layer,
    open_attention,
    rolled_out,
)
from app.tasks.layer_predictions import layer_predictions
from app.tasks.tokenization import list_models
from app.ui.components.attention import attention_view
from app.ui.events import PRIVATE, endpoint, friendly, sentence
from app.ui.shell import launch, standalone
from app.ui.tab import Tab
from app.ui.texts import examples, language_of, mark, say, texts, trust
from app.ui.widgets import copy_link, model_choices
from app.views.head_steps import draw_head_steps
from app.views.layer_predictions import draw_layer_predictions

SLUG = "attention"
VIEW = "view."

Asked = dict[str, Any]


@friendly
def on_run(
    text: str, second: str, model: str, other: str, request: gr.Request
) -> tuple[Asked, Asked | None, gr.Column, str]:
    """Open the text in one model, or in two side by side."""
    language = language_of(request)
    beside = _opening(text, second, other, language) if other else None
    return _opening(text, second, model, language), beside, gr.Column(visible=bool(other)), ""


def _opening(text: str, second: str, model: str, language: str) -> Asked:
    labels = {key.removeprefix(VIEW): told for key, told in texts(SLUG)[language].items() if key.startswith(VIEW)}
    opening = open_attention(text, second or "", model or "")
    return {**asdict(opening), "labels": labels}


def layer(asked: Asked, request: gr.Request) -> Asked:
    """All heads of one layer."""
    return _answer(request, lambda: one_layer(*_source(asked), asked.get("layer")))


def all_heads_pictures(asked: Asked, request: gr.Request) -> Asked:
    """A small picture of every head."""
    return _answer(request, lambda: all_heads(*_source(asked)))


def rollout(asked: Asked, request: gr.Request) -> Asked:
    """The rollout through a layer."""
    return _answer(request, lambda: rolled_out(*_source(asked), asked.get("layer")))


def row(asked: Asked, request: gr.Request) -> Asked:
    """The exact weights of one query token."""
    exact = (*_source(asked), asked.get("layer"), asked.get("heads"), asked.get("query"))
    return _answer(request, lambda: exact_row(*exact).astype(float).tolist())


def table(asked: Asked, request: gr.Request) -> Asked:
    """The exact weights of what is shown."""
    exact = (*_source(asked), asked.get("layer"), asked.get("heads"))
    return _answer(request, lambda: exact_weights(*exact).astype(float).round(8).tolist())


def _source(asked: Asked) -> tuple[str, str, str]:
    return asked.get("text"), asked.get("second"), asked.get("model")


def _answer(request: gr.Request, question: Any) -> Asked:
    """What the component gets; an error as a sentence in the visitor's language."""
    try:
        made = question()
    except PlaygroundError as error:
        return {"error": sentence(error, language_of(request))}
    return asdict(made) if isinstance(made, Packed) else {"weights": made}


@friendly
def on_steps(request: gr.Request, event: gr.EventData) -> str:
    """One head's arithmetic for one query token."""
    steps = head_steps(event.text, event.second, event.model, event.layer, event.head, event.query)
    return draw_head_steps(steps, texts(SLUG)[language_of(request)])


@friendly
def on_predict(text: str, model: str, request: gr.Request) -> str:
    """Ask every layer."""
    language = language_of(request)
    result = layer_predictions(text, model or "", 5)
    return draw_layer_predictions(result, trust(language, result.model), texts(SLUG)[language])


def on_example(index: int, request: gr.Request) -> tuple[str, str]:
    """Put an example into the page."""
    chosen = examples(language_of(request), SLUG)[index]
    return chosen["text"], chosen.get("second", "")


@friendly
def on_open(request: gr.Request) -> tuple[str, str, gr.Dropdown, gr.Dropdown, gr.Dropdown, str, gr.Dataset]:
    """Fill the page in the visitor's language, or from a copied link (keys `text`, `second`, `model`, `other`)."""
    language, query = language_of(request), request.query_params
    linked = query if query.get("tab", SLUG) == SLUG else {}
    samples = examples(language, SLUG)
    ready = {entry.name for entry in list_models(SLUG) if entry.status != "not downloaded"}
    choices = model_choices(language, for_task(SLUG), ready)
    known = {name for _, name in choices}
    first = linked.get("model") if linked.get("model") in known else for_task(SLUG)[0].name
    other = linked.get("other") if linked.get("other") in known else ""
    return (
        linked.get("text") or samples[0]["text"],
        linked.get("second") or "",
        gr.Dropdown(choices=choices, value=first),
        gr.Dropdown(choices=[(say(language, SLUG, "compare_none"), ""), *choices], value=other),
        gr.Dropdown(choices=model_choices(language, for_task("layer_predictions"), ready), value=first),
        say(language, SLUG, "predictions_example"),
        gr.Dataset(samples=[[" ‖ ".join(filter(None, (one["text"], one.get("second"))))] for one in samples]),
    )


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    with gr.Row(equal_height=True):
        text = gr.Textbox(label=mark(SLUG, "text"), lines=2, scale=3, min_width=280, elem_id="attention-text")
        second = gr.Textbox(label=mark(SLUG, "second"), lines=2, scale=2, min_width=200, elem_id="attention-second")
        with gr.Column(scale=2, min_width=260):
            model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="attention-model")
            other = gr.Dropdown(label=mark(SLUG, "compare"), elem_id="attention-other")
    run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="attention-run")
    answers = [layer, all_heads_pictures, rollout, row, table]
    with gr.Row():
        with gr.Column(min_width=300):
            view = attention_view("attention-view", answers)
        with gr.Column(min_width=300, visible=False) as beside:
            other_view = attention_view("attention-other-view", answers)
    steps = gr.HTML(elem_id="attention-steps")
    samples = gr.Dataset(components=[text], samples=[[""]], type="index", label=mark(SLUG, "examples_title"))
    gr.Markdown(mark(SLUG, "normal"))
    copy_link(SLUG, {"text": text, "second": second, "model": model, "other": other})
    with gr.Accordion(mark(SLUG, "predictions_title"), open=False, elem_id="attention-predictions"):
        predicted_text, predicted_model = _build_predictions()

    asked, shown = [text, second, model, other], [view, other_view, beside, steps]
    gr.on([run.click, text.submit, second.submit], on_run, asked, shown, **PRIVATE)
    gr.on([view.select, other_view.select], on_steps, None, steps, **PRIVATE)
    samples.click(on_example, samples, [text, second], **PRIVATE).then(on_run, asked, shown, **PRIVATE)
    filled = [text, second, model, other, predicted_model, predicted_text, samples]
    page.load(on_open, None, filled, show_progress="hidden", **PRIVATE)

    endpoint(attention, api_name="attention")
    endpoint(layer_predictions, api_name="layer_predictions")


def _build_predictions() -> tuple[gr.Textbox, gr.Dropdown]:
    with gr.Row(equal_height=True):
        text = gr.Textbox(
            label=mark(SLUG, "predictions_text"), info=mark(SLUG, "predictions_hint"), lines=2, scale=3, min_width=280,
            elem_id="attention-predicted-text",
        )
        model = gr.Dropdown(label=mark(SLUG, "model"), scale=2, min_width=260, elem_id="attention-predicted-model")
    ask = gr.Button(mark(SLUG, "predictions_run"), variant="primary", elem_id="attention-ask")
    drawn = gr.HTML(elem_id="attention-predicted")
    gr.on([ask.click, text.submit], on_predict, [text, model], drawn, **PRIVATE)
    return text, model


TAB = Tab(slug=SLUG, order=6, build=build)

if __name__ == "__main__":
    launch(standalone(TAB)).block_thread()
