"""Zero-shot: the task in the prompt, answers measured, not believed. `python -m demos.zero_shot` runs it alone."""

from __future__ import annotations

from types import SimpleNamespace

import gradio as gr

from app.registry.lookup import for_task, readers
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.checks import check_models
from app.tasks.downloads import ready_models
from app.tasks.zero_shot.bench import MOST_SHOTS, Example, ask_all_methods, bench, read_examples
from app.tasks.zero_shot.predict import zero_shot
from app.ui.asking import Asking
from app.ui.components.download_panel import download_panel
from app.ui.components.plots import plots, shown
from app.ui.events import LONG, PRIVATE, endpoint, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, linked_models, linked_number, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, language_of, mark, say, texts
from app.ui.unknown import unknown_note
from app.ui.widgets import deeper, draw_examples, example_list, model_choices, sides
from app.views.cards import draw_cards
from app.views.notes import draw_note
from app.views.zero_shot import draw_bench, draw_methods
from app.views.zero_shot_accuracy import plot_accuracy

SLUG = "zero_shot"
MAX_MODELS = 2


@friendly
def on_ask(
    text: str, labels: str, template: str, models: list[str], shots: int, examples: str, request: gr.Request
) -> str:
    """Score every label by every method, with each model."""
    named, language = split(labels), language_of(request)
    cards = []
    for model in check_models(models, MAX_MODELS):
        answers = ask_all_methods(text, named, template, model, first(examples, named, shots))
        unknown = unknown_note(language, model, answers[0].unknown, answers[0].prompt, *named)
        cards.append(draw_methods(answers, about(language, model), texts(SLUG)[language], unknown))
    return draw_cards(cards)


@friendly
def on_bench(
    tests: str, labels: str, template: str, models: list[str], shots: int, examples: str, request: gr.Request
) -> tuple[gr.Plot, str]:
    """Measure every method on the texts with known answers."""
    named, language = split(labels), language_of(request)
    given, told = read_examples(tests, named), texts(SLUG)[language]
    solved = first(examples, named, shots)
    results = [bench(given, named, template, model, solved) for model in check_models(models, MAX_MODELS)]
    cards = [draw_bench(result, about(language, result.model), told) for result in results]
    return *shown([plot_accuracy(results, told)], 1, language), draw_cards(cards)


def on_template(models: list[str], request: gr.Request, event: gr.EventData) -> tuple[object, ...]:
    """Put a prepared task into the page, with a model that knows its language; what was measured is of another."""
    language = language_of(request)
    task = texts(SLUG)[language]["templates"][event.at]
    note = draw_note(say(language, SLUG, task["note"])) if "note" in task else ""
    return (*_fields(task), readers(models, task["text"], SLUG), note, *shown([], 1, language), "")


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a copied link (its keys are in `c.linked`)."""
    language, linked = language_of(request), linked_fields(request, SLUG)
    tasks = texts(SLUG)[language]["templates"]
    text, labels, template, examples, tests = _fields(tasks[0])
    ready = ready_models(SLUG)
    names = sorted((entry.name for entry in for_task(SLUG)), key=lambda name: name not in ready)
    chosen = linked_models(linked, names, MAX_MODELS, language) or readers(names[:1], text, SLUG)
    return (
        linked.get("text") or text,
        linked.get("labels") or labels,
        linked.get("template") or template,
        linked.get("examples") or examples,
        linked.get("tests") or tests,
        int(linked_number(linked, "shots", 0, MOST_SHOTS, language)),
        gr.Dropdown(choices=model_choices(language, for_task(SLUG), ready), value=chosen),
        draw_examples(language, SLUG, [task["name"] for task in tasks], "tasks"),
    )


def split(labels: str | None) -> list[str]:
    """One label a line."""
    return [line.strip() for line in (labels or "").splitlines() if line.strip()]


def first(examples: str, labels: list[str], shots: float) -> list[Example]:
    """The first of the solved examples."""
    count = max(0, min(MOST_SHOTS, int(shots or 0)))
    return read_examples(examples, labels)[:count] if count else []


def _fields(task: dict[str, object]) -> tuple[str, str, str, str, str]:
    examples, tests = ("\n".join(f"{text} | {label}" for text, label in task[key]) for key in ("examples", "tests"))
    return task["text"], "\n".join(task["labels"]), task["template"], examples, tests


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    c = _draw(page)
    shared = [c.labels, c.template, c.models, c.shots, c.examples]
    question = Asking(on_ask, [c.text, *shared], [c.answers], [c.answers])
    question.on(c.ask.click, c.text.submit)
    measured = [c.accuracy, c.measured]
    Asking(on_bench, [c.tests, *shared], measured, measured, places=LONG).on(c.measure.click)
    fields = [c.text, c.labels, c.template, c.examples, c.tests]
    filled = [*fields, c.models, c.note, *measured]
    question.after(c.tasks.click(on_template, [c.models], filled, **PRIVATE))
    open_linked(page, SLUG, on_open, [*fields, c.shots, c.models, c.tasks], FirstAnswer(question, c.answers))

    endpoint(page, zero_shot, api_name="zero_shot", places=LONG)


def _draw(page: gr.Blocks) -> SimpleNamespace:
    c = SimpleNamespace()
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        c.tasks = example_list(SLUG, "tasks")
        c.note = gr.HTML(elem_id="zero_shot-note")
        c.text = gr.Textbox(label=mark(SLUG, "text_label"), lines=2, elem_id="zero_shot-text")
        told = {"label": mark(SLUG, "labels"), "info": mark(SLUG, "labels_hint")}
        c.labels = gr.Textbox(lines=3, elem_id="zero_shot-labels", **told)
        told = {"label": mark(SLUG, "template"), "info": mark(SLUG, "template_hint")}
        c.template = gr.Textbox(lines=3, elem_id="zero_shot-template", **told)
        c.models = gr.Dropdown(label=mark(SLUG, "models"), multiselect=True, max_choices=MAX_MODELS)
        download_panel(c.models, downloads, SLUG)
        c.shots = gr.Slider(0, MOST_SHOTS, 0, step=1, label=mark(SLUG, "shots"), elem_id="zero_shot-shots")
        with gr.Accordion(mark(SLUG, "examples_title"), open=False):
            c.examples = gr.Textbox(label=mark(SLUG, "examples_hint"), lines=4, elem_id="zero_shot-examples")
        c.ask = gr.Button(mark(SLUG, "ask"), variant="primary", elem_id="zero_shot-ask")
    with right:
        c.answers = gr.HTML(elem_id="zero_shot-answers")
        look_inside(SLUG, attention_answers, text=c.text, models=c.models)
    with deeper(SLUG, "bench"):
        c.tests = gr.Textbox(label=mark(SLUG, "tests"), lines=8, max_lines=14, elem_id="zero_shot-tests")
        c.measure = gr.Button(mark(SLUG, "measure"), variant="primary", elem_id="zero_shot-measure")
        (c.accuracy,) = plots("zero_shot-accuracy")
        c.measured = gr.HTML(elem_id="zero_shot-measured")
    gr.Markdown(mark(SLUG, "methods"))
    c.linked = {"text": c.text, "labels": c.labels, "template": c.template, "model": c.models, "shots": c.shots}
    c.linked |= {"examples": c.examples, "tests": c.tests}
    copy_link(page, SLUG, c.linked, "ask")
    return c


TAB = Tab(slug=SLUG, group="writing", order=10, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
