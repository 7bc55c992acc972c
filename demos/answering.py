"""Answers out of a passage: where an answer begins and ends. `python -m demos.answering` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.registry.lookup import BY_NAME, linked, readers
from app.tasks import downloads
from app.tasks.answering.answer import answer
from app.tasks.tokenization.tokenize import list_models
from app.ui.asking import Asking
from app.ui.components.classifier_models import first_ready
from app.ui.components.download_panel import download_panel, labelled, of_task
from app.ui.events import LONG, PRIVATE, endpoint, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, examples, language_of, mark, texts
from app.ui.unknown import unknown_note
from app.ui.widgets import draw_examples, example_list, sides
from app.views.answering import draw_answer

SLUG = "answering"
MOST_THRESHOLD = 10.0


@friendly
def on_run(question: str, passage: str, model: str, threshold: float, request: gr.Request) -> str:
    """Show the answers, and each token's probabilities of beginning and ending one."""
    language, result = language_of(request), answer(question, passage, model or "")
    unknown = unknown_note(language, result.model, result.unknown, question, passage)
    return draw_answer(result, about(language, result.model), texts(SLUG)[language], passage, threshold, unknown)


@friendly
def on_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str, str]:
    """Put an example into the page, with a model that knows its language."""
    sample = examples(language_of(request), SLUG)[event.at]
    return sample["question"], sample["passage"], readers([model], sample["passage"], "answer")[0]


on_picker = of_task(downloads, "answer")


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a copied link (keys `question`, `passage` and `model`)."""
    language, given = language_of(request), linked_fields(request, SLUG)
    samples, ready = examples(language, SLUG), first_ready(list_models("answer"))
    question, passage = (given.get(key) or samples[0][key] for key in ("question", "passage"))
    default = readers([ready], passage, "answer")[0]
    wanted = linked(given.get("model"), BY_NAME, default)
    shown = draw_examples(language, SLUG, [sample["question"] for sample in samples])
    return question, passage, labelled(on_picker, wanted, request), shown


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        question = gr.Textbox(label=mark(SLUG, "question"), elem_id="answering-question")
        passage = gr.Textbox(label=mark(SLUG, "passage"), lines=6, max_lines=14, elem_id="answering-passage")
        model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="answering-model")
        download_panel(model, downloads, "answer")
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="answering-run")
        samples = example_list(SLUG)
        with gr.Column(elem_classes="later"):
            threshold = gr.Slider(
                -MOST_THRESHOLD, MOST_THRESHOLD, 0.0, step=0.5, label=mark(SLUG, "threshold"),
                elem_id="answering-threshold",
            )  # fmt: skip
    with right:
        shown = gr.HTML(elem_id="answering-answer")
    copy_link(page, SLUG, {"question": question, "passage": passage, "model": model})

    asked = [question, passage, model]
    asking = Asking(on_run, [*asked, threshold], [shown], [shown], places=LONG)
    asking.on(run.click, question.submit)
    asking.after(samples.click(on_example, [model], asked, **PRIVATE))
    open_linked(page, SLUG, on_open, [*asked, samples], FirstAnswer(asking, shown))

    endpoint(page, answer, api_name="answer", places=LONG)


TAB = Tab(slug=SLUG, group="labels", order=15, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
