"""Attention: lines, matrix, all heads, rollout, step by step; what each layer predicts. `python -m demos.attention`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gradio as gr
from gradio.components import Component

from app.registry.lookup import for_task, linked, readers
from app.tasks import downloads
from app.tasks.attention.attend import attention
from app.tasks.attention.bertviz import bertviz_page, bertviz_reach
from app.tasks.attention.heads import head_steps
from app.tasks.attention.layer_predictions import layer_predictions
from app.tasks.attention.page import ANSWERS, open_attention
from app.ui.asking import Asking
from app.ui.components.attention import attention_view, opened
from app.ui.components.download_panel import download_panel, of_task, or_none
from app.ui.events import PRIVATE, endpoint, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, examples, language_of, mark, say, texts
from app.ui.widgets import draw_examples, example_list, model_choices, sides
from app.views.bertviz import draw_bertviz, draw_reach
from app.views.head_steps import draw_head_steps
from app.views.layer_predictions import draw_layer_predictions

SLUG = "attention"
VIEWS = ("head", "model")  # of bertviz
# What the second picker offers.
on_other = or_none(of_task(downloads, SLUG), SLUG)


@friendly
def on_run(
    text: str, second: str, model: str, other: str, request: gr.Request
) -> tuple[str, str | None, gr.Column, str, str]:
    """Open the text in one model, or in two side by side."""
    language = language_of(request)
    first, beside = (
        opened(open_attention(text, second or "", name or ""), language) if at == 0 or name else None
        for at, name in enumerate((model, other))
    )
    return first, beside, gr.Column(visible=bool(other)), "", ""


@friendly
def on_reach(text: str, second: str, model: str, request: gr.Request) -> tuple[str, gr.Button, gr.Button, str]:
    """Say how far bertviz reaches, and how large its pages get, before one is opened."""
    labels, views = texts(SLUG)[language_of(request)], bertviz_reach(text, second or "", model or "")
    buttons = [gr.Button(interactive=view.installed and view.tokens <= view.most_tokens) for view in views]
    return draw_reach(views, labels), *buttons, ""


def on_bertviz(view: str) -> Callable[..., str]:
    """The handler that opens one of bertviz's views."""

    @friendly
    def handler(text: str, second: str, model: str, request: gr.Request) -> str:
        page = bertviz_page(text, second or "", model or "", view)
        return draw_bertviz(page, texts(SLUG)[language_of(request)]) if page else ""

    return handler


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
    return draw_layer_predictions(result, about(language, result.model), texts(SLUG)[language])


def on_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str, str]:
    """Put an example into the page, with a model that knows its language."""
    chosen = examples(language_of(request), SLUG)[event.at]
    return chosen["text"], chosen.get("second", ""), readers([model], chosen["text"], SLUG)[0]


@friendly
def on_open(request: gr.Request) -> tuple[str, str, gr.Dropdown, gr.Dropdown, gr.Dropdown, str, str]:
    """Fill the page in the visitor's language, or from a copied link (keys `text`, `second`, `model`, `other`)."""
    language, given = language_of(request), linked_fields(request, SLUG)
    samples = examples(language, SLUG)
    ready, choices = downloads.ready_models(SLUG), on_other(request)
    known = {name for _, name in choices[1:]}
    text = given.get("text") or samples[0]["text"]
    default = readers([for_task(SLUG)[0].name], text, SLUG)[0]
    first, other = linked(given.get("model"), known, default), linked(given.get("other"), known, "")
    sentence = say(language, SLUG, "predictions_example")
    return (
        text,
        given.get("second") or "",
        gr.Dropdown(choices=choices[1:], value=first),
        gr.Dropdown(choices=choices, value=other),
        gr.Dropdown(
            choices=model_choices(language, for_task("layer_predictions"), ready),
            value=readers([first], sentence, SLUG)[0],
        ),
        sentence,
        draw_examples(language, SLUG, [" ‖ ".join(filter(None, (one["text"], one.get("second")))) for one in samples]),
    )


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        text = gr.Textbox(label=mark(SLUG, "text"), lines=2, elem_id="attention-text")
        second = gr.Textbox(label=mark(SLUG, "second"), lines=1, elem_id="attention-second")
        model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="attention-model")
        other = gr.Dropdown(label=mark(SLUG, "compare"), elem_id="attention-other")
        download_panel(model, downloads, SLUG)
        download_panel(other, downloads, on_other, second=True)
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="attention-run")
        samples = example_list(SLUG)
    with right:
        note = gr.HTML(elem_id="attention-note")
        with gr.Row():
            with gr.Column(min_width=300):
                view = attention_view("attention-view", ANSWERS)
            with gr.Column(min_width=300, visible=False) as beside:
                other_view = attention_view("attention-other-view", ANSWERS)
    steps = gr.HTML(elem_id="attention-steps")
    gr.Markdown(mark(SLUG, "normal"))
    copy_link(page, SLUG, {"text": text, "second": second, "model": model, "other": other})
    with gr.Accordion(mark(SLUG, "predictions_title"), open=False, elem_id="attention-predictions"):
        predicted_text, predicted_model = _build_predictions()
    reach = _build_bertviz([text, second, model])

    asked, shown = [text, second, model, other], [view, other_view, beside, steps, note]
    question = Asking(on_run, asked, shown, shown[:2] + shown[3:])
    question.on(run.click, text.submit, second.submit).success(**reach)
    gr.on([view.select, other_view.select], on_steps, None, steps, **PRIVATE)
    chosen = samples.click(on_example, [model], [text, second, model], **PRIVATE)
    question.after(chosen).success(**reach)
    filled = [text, second, model, other, predicted_model, predicted_text, samples]
    open_linked(page, SLUG, on_open, filled, FirstAnswer(question, note))

    endpoint(page, attention, api_name="attention")
    endpoint(page, layer_predictions, api_name="layer_predictions")


def _build_predictions() -> tuple[gr.Textbox, gr.Dropdown]:
    with gr.Row(equal_height=True):
        text = gr.Textbox(
            label=mark(SLUG, "predictions_text"),
            info=mark(SLUG, "predictions_hint"),
            lines=2,
            scale=3,
            min_width=280,
            elem_id="attention-predicted-text",
        )
        model = gr.Dropdown(label=mark(SLUG, "model"), scale=2, min_width=260, elem_id="attention-predicted-model")
    download_panel(model, downloads, "layer_predictions")
    ask = gr.Button(mark(SLUG, "predictions_run"), variant="primary", elem_id="attention-ask")
    drawn = gr.HTML(elem_id="attention-predicted")
    Asking(on_predict, [text, model], [drawn], [drawn]).on(ask.click, text.submit)
    return text, model


def _build_bertviz(asked: list[Component]) -> dict[str, Any]:
    """Draw the panel; returns the event that says how far bertviz reaches with the text that is open."""
    with gr.Accordion(mark(SLUG, "bertviz_title"), open=False, elem_id="attention-bertviz") as panel:
        gr.Markdown(mark(SLUG, "bertviz_intro"))
        said = gr.HTML(elem_id="attention-reach")
        with gr.Row():
            buttons = [gr.Button(mark(SLUG, f"bertviz_{view}"), elem_id=f"attention-bertviz-{view}") for view in VIEWS]
        frame = gr.HTML(elem_id="attention-frame")
    for view, button in zip(VIEWS, buttons, strict=True):
        button.click(on_bertviz(view), asked, frame, **PRIVATE)
    reach = {"fn": on_reach, "inputs": asked, "outputs": [said, *buttons, frame], "show_progress": "hidden", **PRIVATE}
    panel.expand(**reach)
    return reach


TAB = Tab(slug=SLUG, group="inside", order=16, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
