"""Prompting: a model writes on, token by token, and shows its choices. `python -m demos.prompting` runs it alone."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import gradio as gr

from app.registry.lookup import for_task, linked, readers
from app.results.prompting import GenerateResult, TokenChoice, Writing
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.causal import check_sampling
from app.tasks.prompting.interleave import together
from app.tasks.prompting.prompt_size import prompt_size, trimmed
from app.tasks.prompting.token_choice import branch, token_choice
from app.tasks.prompting.write import generate, generate_while, next_token, write
from app.ui.asking import Asking
from app.ui.components.download_panel import download_panel
from app.ui.components.sampling import sampling_settings
from app.ui.components.writing import writing
from app.ui.events import PRIVATE, QUICK, WRITING, endpoint, friendly, friendly_stream
from app.ui.first_answers import FirstAnswer
from app.ui.gradio_internals.queueing import client_waits
from app.ui.links import copy_link, linked_fields, linked_number, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, examples, language_of, mark, say, texts
from app.ui.widgets import draw_examples, example_list, model_choices, sides
from app.views.notes import draw_note
from app.views.token_choice import draw_choice
from app.views.writing import draw_size, draw_writing

SLUG = "prompting"
MOST_NEW = 400


@friendly_stream
def on_write(
    prompt: str, new_tokens: int, two: bool, request: gr.Request, *settings: Any
) -> Iterator[tuple[object, ...]]:
    """Continue the prompt under one setting, or under two side by side."""
    half = len(settings) // 2
    sides = [settings[:half], settings[half:]] if two else [settings[:half]]
    writers = [write(prompt, side[0], new_tokens, check_sampling(*side[1:])) for side in sides]
    language = language_of(request)
    for written in together(writers):
        yield *_panes(written, language), [*written], "", None


@friendly_stream
def on_branch(
    new_tokens: int, written: list[Writing], chosen: tuple[int, TokenChoice], request: gr.Request, event: gr.EventData
) -> Iterator[tuple[object, ...]]:
    """Put another token in the chosen place, and continue from there."""
    side, choice = chosen
    before = written[side]
    kept, language = branch(before, choice, getattr(event, "token_id", None)), language_of(request)
    for (grown,) in together([write(before.prompt, before.model, new_tokens, before.sampling, kept)]):
        now = [grown if index == side else other for index, other in enumerate(written)]
        yield *_panes(now, language), now, "", None


@friendly
def on_token(
    written: list[Writing], side: int, request: gr.Request, event: gr.EventData
) -> tuple[str, tuple[int, TokenChoice]]:
    """Show what a token was drawn from."""
    choice = token_choice(written[side], getattr(event, "index", None))
    return draw_choice(choice, texts(SLUG)[language_of(request)]), (side, choice)


def on_stop(written: list[Writing], request: gr.Request) -> tuple[object, ...]:
    """Leave the text as it is; the model has been stopped."""
    return _panes(written, language_of(request), "visitor")


@friendly
def on_prompt(prompt: str, new_tokens: int, model: str, request: gr.Request) -> tuple[str, gr.Button]:
    """Say how much room there is, and offer to trim a space at the end."""
    size = prompt_size(prompt or "", model) if model is not None else None  # the picker is filled a moment later
    drawn = draw_size(size, int(new_tokens), texts(SLUG)[language_of(request)]) if size else ""
    return drawn, gr.Button(visible=size is not None and size.ends_with_space)


def on_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str, int, float, str]:
    """Put an example into the page, with what is known of it; where the model cannot read it, another one."""
    language = language_of(request)
    one = examples(language, SLUG)[event.at]
    model = one.get("model") or readers([model], one["prompt"], "generate")[0]
    return one["prompt"], model, one["new_tokens"], one["temperature"], draw_note(say(language, SLUG, one["note"]))


def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a link (keys `prompt`, `model`, `temperature`, `seed`)."""
    language, given = language_of(request), linked_fields(request, SLUG)
    samples = examples(language, SLUG)
    ready = downloads.ready_models("generate")
    names = sorted((one.name for one in for_task("generate")), key=lambda name: name not in ready)
    prompt = given.get("prompt") or samples[0]["prompt"]
    begun = samples[0] if prompt == samples[0]["prompt"] else {"new_tokens": 60, "temperature": 0.8}
    model = linked(given.get("model"), names, readers(names[:1], prompt, "generate")[0])
    choices = model_choices(language, for_task("generate"), ready)
    others = [name for name in readers(names, prompt, "generate") if name != model and name in ready]
    return (
        prompt,
        gr.Dropdown(choices=choices, value=model),
        gr.Dropdown(choices=choices, value=others[0] if others else model),
        begun["new_tokens"],
        linked_number(given, "temperature", begun["temperature"], 2, language),
        int(linked_number(given, "seed", 1, 2**31, language)),
        draw_examples(language, SLUG, [sample["prompt"] for sample in samples]),
    )


def _panes(written: list[Writing], language: str, stopped: str = "") -> tuple[str, ...]:
    labels = texts(SLUG)[language]
    return tuple([*(draw_writing(one, about(language, one.model), labels, stopped) for one in written), "", ""][:2])


@functools.wraps(generate)
def on_generate(*arguments: Any) -> GenerateResult:
    """`generate`, which ends when its client goes."""
    return generate_while(client_waits(), *arguments)


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    c = _draw(page)
    quiet = {"show_progress": "hidden", **PRIVATE}
    shown = [*c.panes, c.written, c.choice, c.chosen]
    asked = [c.prompt, c.new_tokens, c.two, *c.first, *c.second]
    question = Asking(on_write, asked, shown, [*c.panes, c.choice], grows=True, quiet=True, places=WRITING)
    wrote = question.on(c.write.click, c.prompt.submit)
    went_on = c.choice.click(on_branch, [c.new_tokens, c.written, c.chosen], shown, **quiet, **WRITING)
    # One after the other: a piece that was on its way would else come after the mark that the text was stopped.
    js = f"() => {{ playground.stopped.add({question.group}); }}"
    gr.on([c.stop.click, c.samples.click], None, None, None, js=js, **PRIVATE)
    c.stop.click(None, cancels=[wrote, went_on], **quiet).then(on_stop, c.written, c.panes, **QUICK)
    for side, pane in enumerate(c.panes):
        pane.click(on_token, [c.written, gr.State(side)], [c.choice, c.chosen], **quiet)
    sized = [c.prompt, c.new_tokens, c.first.model]
    gr.on([one.change for one in sized], on_prompt, sized, [c.size, c.trim], trigger_mode="always_last", **quiet)
    c.trim.click(trimmed, c.prompt, c.prompt, **quiet)
    c.two.change(lambda two: [gr.update(visible=two)] * 2, c.two, [c.beside, c.panes[1]], **quiet)
    filled = [c.prompt, c.first.model, c.new_tokens, c.first.temperature, c.note]
    chosen = c.samples.click(on_example, [c.first.model], filled, cancels=[wrote, went_on], **quiet)
    chosen.then(None, None, None, js=f"() => playground.pressNext('prompting-write', {question.group})", **PRIVATE)
    opened = [c.prompt, c.first.model, c.second.model, c.new_tokens, c.first.temperature, c.first.seed, c.samples]
    first = FirstAnswer(question, c.panes[0], {c.written: list[Writing]}, beside=[c.second.model])
    open_linked(page, SLUG, on_open, opened, first)

    endpoint(page, next_token, api_name="next_token")
    endpoint(page, on_generate, api_name="generate", places=WRITING)


def _draw(page: gr.Blocks) -> SimpleNamespace:
    c = SimpleNamespace(written=gr.State([]), chosen=gr.State(None))
    gr.Markdown(mark(SLUG, "intro"))
    question, answer = sides()
    with question:
        c.prompt = gr.Textbox(label=mark(SLUG, "prompt"), lines=4, max_lines=12, elem_id="prompting-prompt")
        c.size = gr.HTML(elem_id="prompting-size")
        c.trim = gr.Button(mark(SLUG, "trim"), visible=False, size="sm", elem_id="prompting-trim")
        with gr.Row():
            c.write = gr.Button(mark(SLUG, "write"), variant="primary", elem_id="prompting-write")
            c.stop = gr.Button(mark(SLUG, "stop"), elem_id="prompting-stop")
        with gr.Column(elem_classes="later"):
            c.new_tokens = gr.Slider(1, MOST_NEW, 60, step=1, label=mark(SLUG, "new_tokens"), elem_id="prompting-new")
            c.two = gr.Checkbox(label=mark(SLUG, "two"), elem_id="prompting-two")
            c.first = sampling_settings("first", 0.8)
            download_panel(c.first.model, downloads, "generate")
            with gr.Column(min_width=280, visible=False) as c.beside:
                c.second = sampling_settings("second", 0)
                download_panel(c.second.model, downloads, "generate", second=True)
        c.samples = example_list(SLUG)
    with answer:
        c.note = gr.HTML(elem_id="prompting-note")
        c.panes = [writing("prompting-left"), writing("prompting-right", visible=False)]
        c.choice = writing("prompting-choice")
    gr.Markdown(mark(SLUG, "known"))
    look_inside(SLUG, attention_answers, text=c.prompt, models=c.first.model)
    linked_to = {"prompt": c.prompt, "model": c.first.model, "temperature": c.first.temperature, "seed": c.first.seed}
    copy_link(page, SLUG, linked_to, "write")
    return c


def warm() -> None:
    """Load the default model, so that the first visitor does not wait for it; not one that would be fetched."""
    prompt_size("", "")


TAB = Tab(slug=SLUG, group="writing", order=8, build=build, warm=warm)

if __name__ == "__main__":
    serve(standalone(TAB))
