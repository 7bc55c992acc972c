"""Masked words: hide one, see what BERT, RoBERTa or ALBERT put there. `python -m demos.fill_mask` runs it alone."""

from __future__ import annotations

from types import SimpleNamespace

import gradio as gr

from app.registry.lookup import BY_NAME, for_task, readers
from app.results.text import FillMaskResult
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.checks import check_models
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.hidden_words import Hidden, add_stop, ends_with_blank, hidden_in, toggle
from app.tasks.surprise.score import score
from app.tasks.tokenization.tokenize import changes_letters, list_models
from app.ui.asking import Asking
from app.ui.components.download_panel import download_panel
from app.ui.components.words import words
from app.ui.events import LONG, PRIVATE, endpoint, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, linked_models, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import LANGUAGES, about, examples, language_of, mark, say, texts
from app.ui.unknown import unknown_note
from app.ui.ways.carry import carry
from app.ui.widgets import draw_examples, example_list, model_choices, sides
from app.views.candidates import draw_fill_mask
from app.views.cards import draw_cards
from app.views.guess import draw_guesses
from app.views.notes import draw_note
from app.views.tokens import draw_surprisal, draw_words

SLUG = "fill_mask"
MAX_MODELS = 3


@friendly
def on_run(
    text: str, models: list[str], top_k: int, targets: str | None, guess_first: bool, request: gr.Request
) -> tuple[str, str]:
    """Fill the blanks with every chosen model, unless the visitor wants to guess first."""
    language = language_of(request)
    if guess_first:
        return "", draw_note(say(language, SLUG, "guess_needed"))
    results = [fill_mask(text, model, top_k, _split(targets)) for model in check_models(models, MAX_MODELS)]
    hints = ["stop_hint"] if ends_with_blank(text) else []
    hints += ["lowercase_hint"] if any(changes_letters(text, model) for model in models) else []
    hints += _remarks(text, models)
    return _cards(results, text, language), draw_note(*(say(language, SLUG, hint) for hint in hints))


@friendly
def on_reveal(
    text: str, models: list[str], top_k: int, targets: str | None, guess_first: bool, guess: str, hidden: Hidden,
    request: gr.Request,
) -> tuple[str, str]:  # fmt: skip
    """Show the answers, and the rank of the visitor's guess among them."""
    language, guess = language_of(request), (guess or "").strip()
    if not guess:
        return "", draw_note(say(language, SLUG, "guess_needed"))
    results = [fill_mask(text, model, top_k, [*_split(targets), guess]) for model in check_models(models, MAX_MODELS)]
    told = draw_guesses(results, texts(SLUG)[language])
    if original := hidden_in(text, hidden).words[0]:
        told += draw_note(say(language, SLUG, "guess_original", word=original))
    return _cards(results, text, language), told


@friendly
def on_surprise(text: str, models: list[str], request: gr.Request, *_: object) -> tuple[str, str]:
    """Colour the tokens by how little each chosen model expected them."""
    language = language_of(request)
    results = [score(text, model) for model in check_models(models, MAX_MODELS)]
    labels, notes = texts(SLUG)[language], [unknown_note(language, one.model, one.unknown, text) for one in results]
    cards = [
        draw_surprisal(one, text, about(language, one.model), labels, note)
        for one, note in zip(results, notes, strict=True)
    ]
    return draw_cards(cards), ""


@friendly
def on_word(text: str, hidden: Hidden, request: gr.Request, event: gr.EventData) -> tuple[str, str, Hidden]:
    """Hide the clicked word, or bring it back."""
    after = toggle(text, event.start, event.end, hidden)
    return after.text, draw_words(after.text, texts(SLUG)[language_of(request)]), after


def on_text(text: str, request: gr.Request) -> tuple[str, gr.Button]:
    """The sentence as words to click, and whether a full stop is offered."""
    return draw_words(text, texts(SLUG)[language_of(request)]), gr.Button(visible=ends_with_blank(text))


@friendly
def on_example(models: list[str], request: gr.Request, event: gr.EventData) -> tuple[str, list[str]]:
    """Put an example into the page, with a model that knows its language."""
    text = examples(language_of(request), SLUG)[event.at]["text"]
    return text, readers(models, text, SLUG)


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a copied link (keys `text`, `model`, `targets`, `guess`)."""
    language, linked = language_of(request), linked_fields(request, SLUG)
    samples = examples(language, SLUG)
    text = linked.get("text") or samples[0]["text"]
    chosen = linked_models(linked, {checkpoint.name for checkpoint in for_task(SLUG)}, MAX_MODELS, language)
    choices = model_choices(language, for_task(SLUG), downloads.ready_models(SLUG))
    picker = gr.Dropdown(choices=choices, value=chosen or readers([for_task(SLUG)[0].name], text, SLUG))
    more = linked.get("targets", ""), linked.get("guess") == "true"
    return text, picker, *more, draw_examples(language, SLUG, [one["text"] for one in samples]), *on_text(text, request)


def _remarks(text: str, models: list[str]) -> list[str]:
    """Why an example fails in the small models that are here; those of the Hub may well get it right."""
    small = any(name in BY_NAME and BY_NAME[name].source != "hub" for name in models)
    given = [one for language in LANGUAGES for one in examples(language, SLUG)] if small else []
    return [one["note"] for one in given if one["text"] == text and "note" in one][:1]


def _cards(results: list[FillMaskResult], text: str, language: str) -> str:
    notes = [unknown_note(language, one.model, one.unknown, text) for one in results]
    labels, drawn = texts(SLUG)[language], zip(results, notes, strict=True)
    return draw_cards(draw_fill_mask(one, about(language, one.model), labels, note) for one, note in drawn)


def _split(targets: str | None) -> list[str]:
    return [word.strip() for word in (targets or "").replace("，", ",").split(",") if word.strip()]


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    _wire(page, _draw(page))
    endpoint(page, fill_mask, api_name="fill_mask")
    endpoint(page, score, api_name="score", places=LONG)
    endpoint(page, list_models, api_name="models")


def _draw(page: gr.Blocks) -> SimpleNamespace:
    c = SimpleNamespace(hidden=gr.State(Hidden()))
    gr.Markdown(mark(SLUG, "intro"))
    question, answer = sides()
    with question:
        said = {"label": mark(SLUG, "text"), "info": mark(SLUG, "text_hint")}
        c.text = gr.Textbox(lines=2, elem_id="fill_mask-text", **said)
        names = [checkpoint.name for checkpoint in for_task(SLUG)]
        c.models = gr.Dropdown(names, multiselect=True, max_choices=MAX_MODELS, label=mark(SLUG, "models"))
        download_panel(c.models, downloads, SLUG)
        gr.Markdown(mark(SLUG, "words_title"), elem_classes="caption")
        c.words = words("fill_mask-words")
        with gr.Row():
            c.run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="fill_mask-run")
            c.surprise = gr.Button(mark(SLUG, "surprise"), elem_id="fill_mask-surprise")
            c.add_stop = gr.Button(mark(SLUG, "add_stop"), visible=False, elem_id="fill_mask-add-stop")
        with gr.Accordion(mark(SLUG, "more"), open=False):
            said = {"label": mark(SLUG, "targets"), "info": mark(SLUG, "targets_hint")}
            c.targets = gr.Textbox(elem_id="fill_mask-targets", **said)
            c.top_k = gr.Slider(1, 20, value=5, step=1, label=mark(SLUG, "top_k"))
            c.guess_first = gr.Checkbox(label=mark(SLUG, "guess_first"), elem_id="fill_mask-guess-first")
            with gr.Row(visible=False) as c.guessing:
                c.guess = gr.Textbox(label=mark(SLUG, "guess"), elem_id="fill_mask-guess")
                c.reveal = gr.Button(mark(SLUG, "reveal"), variant="primary", elem_id="fill_mask-reveal")
        c.samples = example_list(SLUG)
    with answer:
        c.note, c.answers = gr.HTML(elem_id="fill_mask-note"), gr.HTML(elem_id="fill_mask-answers")
        look_inside(SLUG, attention_answers, text=c.text, models=c.models)
        carry(SLUG, c.text, {"tokenization": "", "attribution": "attribute"})
    c.linked = {"text": c.text, "model": c.models, "targets": c.targets, "guess": c.guess_first}
    copy_link(page, SLUG, c.linked)
    return c


def _wire(page: gr.Blocks, c: SimpleNamespace) -> None:
    quiet = {"show_progress": "hidden", **PRIVATE}
    asked, shown = [c.text, c.models, c.top_k, c.targets, c.guess_first], [c.answers, c.note]
    question = Asking(on_run, asked, shown, shown)
    question.on(c.run.click, c.text.submit, c.targets.submit)
    Asking(on_reveal, asked, shown, shown, also=[c.guess, c.hidden]).on(c.reveal.click, c.guess.submit)
    Asking(on_surprise, asked, shown, shown, places=LONG).on(c.surprise.click)
    c.text.change(on_text, c.text, [c.words, c.add_stop], **quiet)
    c.words.click(on_word, [c.text, c.hidden], [c.text, c.words, c.hidden], **quiet)
    question.after(c.add_stop.click(add_stop, c.text, c.text, **PRIVATE))
    c.guess_first.change(lambda wanted: gr.Row(visible=wanted), c.guess_first, c.guessing, **quiet)
    question.after(c.samples.click(on_example, [c.models], [c.text, c.models], **PRIVATE))
    filled = [*c.linked.values(), c.samples, c.words, c.add_stop]
    open_linked(page, SLUG, on_open, filled, FirstAnswer(question, c.note))


def warm() -> None:
    """Load the default model, so that the first visitor does not wait for it."""
    fill_mask("The [MASK] is warm.")


TAB = Tab(slug=SLUG, group="blanks", order=6, build=build, warm=warm)

if __name__ == "__main__":
    serve(standalone(TAB))
