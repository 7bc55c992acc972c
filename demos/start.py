"""Start: a blank already answered, the road of the models, ways in. `python -m demos.start` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.registry.lookup import for_task, readers
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.hidden_words import Hidden
from app.tasks.start import hide_another
from app.ui.asking import Asking
from app.ui.components.words import words
from app.ui.events import PRIVATE, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import open_linked
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, examples, language_of, mark, texts
from app.ui.ways.road import doors, road
from app.ui.widgets import example_list
from app.views.candidates import draw_bars
from app.views.heading import draw_card
from app.views.tokens import draw_words

SLUG = "start"
CANDIDATES = 3
# A server that has not yet answered in advance is asked.
ASK_IF_EMPTY = """() => {
  if (!document.querySelector("#start-answer .bars")) playground.press("start-run", 20);
}"""


@friendly
def on_run(text: str, model: str, request: gr.Request) -> str:
    """What the model puts into the blank."""
    language = language_of(request)
    result = fill_mask(text, model, CANDIDATES)
    return draw_card(about(language, result.model), draw_bars(result.masks[0], 1, texts(SLUG)[language]))


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

    question = Asking(on_run, [text, model], [answer], [answer], quiet=True)
    question.on(run.click)
    shown = [text, sentence, hidden]
    question.after(sentence.click(on_word, hidden, shown, show_progress="hidden", **PRIVATE))
    question.after(samples.click(on_example, samples, [*shown, model], show_progress="hidden", **PRIVATE))
    opened = open_linked(page, SLUG, on_open, [*shown, model, samples], FirstAnswer(question, answer))
    opened.then(None, None, None, js=ASK_IF_EMPTY, **PRIVATE)


TAB = Tab(slug=SLUG, order=1, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
