"""Words with labels: names and other kinds of words, marked in their text. `python -m demos.tagging` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.registry.checkpoint import TOKEN_CLASSIFICATION
from app.registry.lookup import BY_NAME, linked, readers
from app.tasks import downloads
from app.tasks.classification.page import own_models
from app.tasks.tagging.tag import tag
from app.tasks.tokenization.tokenize import list_models
from app.ui.asking import Asking
from app.ui.components.classifier_models import about_classifier, classifier_choices, first_ready
from app.ui.components.download_panel import download_panel, labelled
from app.ui.events import LONG, PRIVATE, QUICK, endpoint, friendly, visitor_of
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import examples, language_of, mark, texts
from app.ui.unknown import unknown_note
from app.ui.widgets import draw_examples, example_list, sides
from app.views.four_shapes import draw_shapes
from app.views.tagging import draw_tagged

SLUG = "tagging"


@friendly
def on_run(text: str, model: str, request: gr.Request) -> str:
    """Mark the entities that the model finds."""
    language, own = language_of(request), _own(request)
    result = tag(text, model or "", visitor=visitor_of(request))
    unknown = unknown_note(language, result.model, result.unknown, text)
    return draw_tagged(result, about_classifier(language, result.model, own), texts(SLUG)[language], text, unknown)


@friendly
def on_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str]:
    """Put an example into the page, with a model that knows its language."""
    text = examples(language_of(request), SLUG)[event.at]["text"]
    return text, readers([model], text, "tag")[0]


def _own(request: gr.Request) -> dict[str, str]:
    return own_models(visitor_of(request), head=TOKEN_CLASSIFICATION)


def on_text(text: str, request: gr.Request) -> str:
    """The four tasks of BERT's paper with this text in them."""
    return draw_shapes(text, texts(SLUG)[language_of(request)])


def on_picker(request: gr.Request) -> list[tuple[str, str]]:
    """What the picker offers: the visitor's own models as well; one may have been trained meanwhile."""
    return classifier_choices(language_of(request), _own(request), downloads.ready_models("tag"), "tag")


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a copied link (keys `text` and `model`).

    Where none of the catalog's models that know the language is here, the newest of the visitor's own is chosen.
    """
    language, given, own = language_of(request), linked_fields(request, SLUG), _own(request)
    samples = examples(language, SLUG)
    text = given.get("text") or samples[0]["text"]
    default = readers([first_ready(list_models("tag"))], text, "tag")[0]
    if own and default not in downloads.ready_models("tag"):
        default = next(reversed(own))
    wanted = linked(given.get("model"), {*BY_NAME, *own}, default)
    shown = draw_examples(language, SLUG, [sample["text"] for sample in samples])
    return text, labelled(on_picker, wanted, request), shown, on_text(text, request)


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        text = gr.Textbox(label=mark(SLUG, "text"), lines=3, elem_id="tagging-text")
        model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="tagging-model")
        download_panel(model, downloads, on_picker)
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="tagging-run")
        samples = example_list(SLUG)
    with right:
        shown = gr.HTML(elem_id="tagging-answer")
    shapes = gr.HTML(elem_id="tagging-shapes")
    copy_link(page, SLUG, {"text": text, "model": model})

    asked = [text, model]
    question = Asking(on_run, asked, [shown], [shown], places=LONG)
    question.on(run.click)
    question.after(samples.click(on_example, [model], asked, **PRIVATE))
    text.change(on_text, text, shapes, trigger_mode="always_last", **QUICK)
    open_linked(page, SLUG, on_open, [text, model, samples, shapes], FirstAnswer(question, shown))

    endpoint(page, tag, api_name="tag", places=LONG)


TAB = Tab(slug=SLUG, group="labels", order=14, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
