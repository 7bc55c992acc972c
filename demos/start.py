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
from app.ui.widgets import example_list
from app.views.candidates import draw_bars
from app.views.guess import draw_hidden
from app.views.heading import draw_card
from app.views.notes import draw_note
from app.views.tokens import draw_words

SLUG = "start"
CANDIDATES = 3
# A server that has not yet answered in advance is asked.
ASK_IF_EMPTY = """() => {
  if (!document.querySelector("#start-answer .bars")) playground.press("start-run", 20);
}"""


@friendly
def on_run(text: str, model: str, hidden: Hidden, request: gr.Request) -> str:
    """What the model puts into the blank, and how it finds the word that was there."""
    return _answered(text, model, hidden, language_of(request))


@friendly
def on_again(text: str, model: str, hidden: Hidden, request: gr.Request) -> str:
    """The same below what to notice, which the first answer brings along."""
    language = language_of(request)
    return draw_note(say(language, SLUG, "notice")) + _answered(text, model, hidden, language)


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
def on_word(hidden: Hidden, request: gr.Request, event: gr.EventData) -> tuple[str, str, Hidden]:
    """Hide the clicked word instead."""
    return _shown(hide_another(event.start, event.end, hidden), language_of(request))


@friendly
def on_example(index: int, request: gr.Request) -> tuple[str, str, Hidden, str]:
    """Put another sentence on the page, with a model that knows its language."""
    language = language_of(request)
    one = examples(language, SLUG)[index]
    best = [for_task("fill_mask")[0].name]
    return *_shown(Hidden(one["text"], (one["word"],)), language), readers(best, one["text"], "fill_mask")[0]


@friendly
def on_open(request: gr.Request) -> tuple[str, str, Hidden, str, gr.Dataset]:
    """Begin with the first sentence of the visitor's language."""
    samples = examples(language_of(request), SLUG)
    return *on_example(0, request), gr.Dataset(samples=[[one["text"]] for one in samples])


def _shown(hidden: Hidden, language: str) -> tuple[str, str, Hidden]:
    return hidden.text, draw_words(hidden.text, texts(SLUG)[language]), hidden


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    hidden = gr.State(Hidden())
    text, model = (gr.Textbox(visible="hidden", elem_id=f"start-{name}") for name in ("text", "model"))
    run = gr.Button(visible="hidden", elem_id="start-run")
    gr.Markdown(mark(SLUG, "question"))
    with gr.Row(elem_id="start-live"):
        with gr.Column(scale=3, min_width=280):
            sentence = words("start-words")
            samples = example_list(SLUG, text)
        with gr.Column(scale=2, min_width=280):
            answer = gr.HTML(elem_id="start-answer")
    road(SLUG)
    doors(SLUG)

    asked = [text, model, hidden]
    question = Asking(on_run, asked, [answer], [answer], quiet=True)
    again = Asking(on_again, asked, [answer], [answer], quiet=True)
    question.on(run.click)
    shown = [text, sentence, hidden]
    again.after(sentence.click(on_word, hidden, shown, show_progress="hidden", **PRIVATE))
    again.after(samples.click(on_example, samples, [*shown, model], show_progress="hidden", **PRIVATE))
    opened = open_linked(page, SLUG, on_open, [*shown, model, samples], FirstAnswer(question, answer))
    opened.then(None, None, None, js=ASK_IF_EMPTY, **PRIVATE)


TAB = Tab(slug=SLUG, order=1, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
