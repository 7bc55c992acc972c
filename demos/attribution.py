"""Why a sentence got its label: integrated gradients and occlusion, word by word. `python -m demos.attribution`."""

from __future__ import annotations

import gradio as gr

from app.registry.lookup import BY_NAME, linked, readers
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.attribution.attribute import attribute, explain
from app.tasks.classification.page import own_models
from app.tasks.hidden_words import Hidden, toggle
from app.tasks.tokenization.tokenize import list_models
from app.ui.asking import Asking
from app.ui.components.classifier_models import about_classifier, classifier_choices, first_ready
from app.ui.components.download_panel import download_panel, labelled
from app.ui.components.words import words
from app.ui.events import LONG, PRIVATE, endpoint, friendly, visitor_of
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import examples, language_of, mark, texts
from app.ui.unknown import unknown_note
from app.ui.widgets import draw_examples, example_list, sides
from app.views.why import draw_why

SLUG = "attribution"


@friendly
def on_run(text: str, model: str, hidden: Hidden, request: gr.Request) -> tuple[str, Hidden]:
    """Colour the words by what they add; what was hidden in this text is still known."""
    return _explained(text, model, request), hidden if hidden.text == text else Hidden(text)


@friendly
def on_word(text: str, hidden: Hidden, event: gr.EventData) -> tuple[str, Hidden]:
    """Hide the clicked word, or bring it back."""
    after = toggle(text, event.start, event.end, hidden)
    return after.text, after


@friendly
def on_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str]:
    """Put an example into the page, with a model that knows its language."""
    text = examples(language_of(request), SLUG)[event.at]["text"]
    return text, readers([model], text, "attribute")[0]


def _explained(text: str, model: str, request: gr.Request) -> str:
    language, visitor = language_of(request), visitor_of(request)
    result = explain(text, model or "", visitor=visitor)
    about = about_classifier(language, result.attributed.model, own_models(visitor))
    unknown = unknown_note(language, result.attributed.model, result.attributed.unknown, text)
    return draw_why(result, about, texts(SLUG)[language], unknown)


def on_picker(request: gr.Request) -> list[tuple[str, str]]:
    """What the picker offers: the visitor's own models as well; one may have been trained meanwhile."""
    ready = downloads.ready_models("attribute")
    return classifier_choices(language_of(request), own_models(visitor_of(request), explaining=True), ready)


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a copied link (keys `text` and `model`)."""
    language, given = language_of(request), linked_fields(request, SLUG)
    samples, default = examples(language, SLUG), first_ready(list_models("attribute"))
    text, own = given.get("text") or samples[0]["text"], own_models(visitor_of(request), explaining=True)
    wanted = linked(given.get("model"), {*BY_NAME, *own}, readers([default], text, "attribute")[0])
    shown = draw_examples(language, SLUG, [sample["text"] for sample in samples])
    return text, labelled(on_picker, wanted, request), shown


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        text = gr.Textbox(label=mark(SLUG, "text"), lines=2, elem_id="attribution-text")
        model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="attribution-model")
        download_panel(model, downloads, on_picker)
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="attribution-run")
        samples = example_list(SLUG)
    with right:
        shown, hidden = words("attribution-words"), gr.State(Hidden())
        look_inside(SLUG, attention_answers, text=text, models=model)
    copy_link(page, SLUG, {"text": text, "model": model})

    asked = [text, model]
    question = Asking(on_run, [*asked, hidden], [shown, hidden], [shown], places=LONG)
    question.on(run.click, text.submit)
    question.after(shown.click(on_word, [text, hidden], [text, hidden], **PRIVATE))
    question.after(samples.click(on_example, [model], asked, **PRIVATE))
    first = FirstAnswer(question, shown, {hidden: Hidden})
    open_linked(page, SLUG, on_open, [text, model, samples], first)

    endpoint(page, attribute, api_name="attribute", places=LONG)


TAB = Tab(slug=SLUG, group="labels", order=12, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
