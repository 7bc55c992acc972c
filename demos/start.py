"""Start: a blank already answered, the road of the models, ways in. `python -m demos.start` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.errors import PlaygroundError
from app.registry.lookup import for_task, readers
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.hidden_words import Hidden, hidden_in
from app.tasks.start import hide_another
from app.ui.asking import Asking
from app.ui.components.words import words
from app.ui.events import PRIVATE, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import open_linked
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, examples, language_of, mark, say, texts
from app.ui.ways.road import doors, road
from app.ui.widgets import draw_examples, example_list
from app.views.candidates import draw_bars
from app.views.guess import draw_hidden
from app.views.heading import draw_card
from app.views.notes import draw_note
from app.views.tokens import draw_words

SLUG = "start"
Asked = list[str]  # the sentence and the name of the model
Begun = tuple[Asked, str, Hidden]
CANDIDATES = 3
# A server that has not yet answered in advance is asked.
ASK_IF_EMPTY = """() => {
  if (!document.querySelector("#start-answer .bars")) playground.press("start-run", 20);
}"""


@friendly
def on_run(asked: Asked, hidden: Hidden, request: gr.Request) -> str:
    """What the model puts into the blank, and how it finds the word that was there."""
    return _answered(*asked, hidden, language_of(request))


@friendly
def on_again(asked: Asked, hidden: Hidden, request: gr.Request) -> str:
    """The same below what to notice, which the first answer brings along."""
    language = language_of(request)
    return draw_note(say(language, SLUG, "notice")) + _answered(*asked, hidden, language)


def _answered(text: str, model: str, hidden: Hidden, language: str) -> str:
    labels, there = texts(SLUG)[language], [word for word in hidden_in(text, hidden).words[:1] if word]
    try:
        result = fill_mask(text, model, CANDIDATES, there)
    except PlaygroundError as error:
        if error.code != "word_not_found":
            raise
        result = fill_mask(text, model, CANDIDATES)  # the model has no pieces for it
    scored = [draw_hidden(one, labels) for one in result.targets]
    return draw_card(about(language, result.model), draw_bars(result.masks[0], 1, labels), *scored)


@friendly
def on_word(asked: Asked, hidden: Hidden, request: gr.Request, event: gr.EventData) -> Begun:
    """Hide the clicked word instead."""
    return _shown(hide_another(event.start, event.end, hidden), asked[1], language_of(request))


@friendly
def on_example(request: gr.Request, event: gr.EventData) -> Begun:
    """Put the clicked sentence on the page, with a model that knows its language."""
    return _begun(event.at, language_of(request))


def _begun(at: int, language: str) -> Begun:
    one = examples(language, SLUG)[at]
    best = [for_task("fill_mask")[0].name]
    model = readers(best, one["text"], "fill_mask")[0]
    return _shown(Hidden(one["text"], (one["word"],)), model, language)


@friendly
def on_open(request: gr.Request) -> tuple[Asked, str, Hidden, str]:
    """Begin with the first sentence of the visitor's language."""
    language = language_of(request)
    return *_begun(0, language), draw_examples(language, SLUG, [one["text"] for one in examples(language, SLUG)])


def _shown(hidden: Hidden, model: str, language: str) -> Begun:
    return [hidden.text, model], draw_words(hidden.text, texts(SLUG)[language]), hidden


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    hidden = gr.State(Hidden())
    asked = gr.JSON(visible=False)  # the sentence and the model: a text box would bring its own scripts along
    run = gr.Button(visible="hidden", elem_id="start-run")
    gr.Markdown(mark(SLUG, "question"))
    with gr.Row(elem_id="start-live"):
        with gr.Column(scale=3, min_width=280):
            sentence = words("start-words")
            others = example_list(SLUG)
        with gr.Column(scale=2, min_width=280):
            answer = gr.HTML(elem_id="start-answer")
    road(SLUG)
    doors(SLUG)

    question, again = (Asking(one, [asked, hidden], [answer], [answer], quiet=True) for one in (on_run, on_again))
    question.on(run.click)
    shown = [asked, sentence, hidden]
    again.after(sentence.click(on_word, [asked, hidden], shown, show_progress="hidden", **PRIVATE))
    again.after(others.click(on_example, None, shown, show_progress="hidden", **PRIVATE))
    opened = open_linked(page, SLUG, on_open, [*shown, others], FirstAnswer(question, answer))
    opened.then(None, None, None, js=ASK_IF_EMPTY, **PRIVATE)


TAB = Tab(slug=SLUG, order=1, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
