"""Masked words: hide one, see what BERT, RoBERTa or ALBERT put there. `python -m demos.fill_mask` runs it alone."""

from __future__ import annotations

from types import SimpleNamespace

import gradio as gr

from app.registry.lookup import for_task, may_be_named, readers
from app.results import FillMaskResult
from app.tasks import attention_answers, downloads
from app.tasks.checks import check_models
from app.tasks.fill_mask import fill_mask
from app.tasks.hide import Hidden, ends_with_blank, hidden_in, toggle
from app.tasks.score import score
from app.tasks.tokenization import changes_letters, list_models
from app.ui.components.download_panel import download_panel
from app.ui.components.words import words
from app.ui.events import PRIVATE, QUICK, endpoint, friendly
from app.ui.look_inside import look_inside
from app.ui.shell import launch, standalone
from app.ui.tab import Tab
from app.ui.texts import examples, language_of, mark, say, texts, trust
from app.ui.widgets import copy_link, model_choices
from app.views.candidates import draw_fill_mask
from app.views.guess import draw_guess
from app.views.notes import draw_note
from app.views.tokens import draw_surprisal, draw_words

SLUG = "fill_mask"
MAX_MODELS = 3
DEFAULT = [for_task(SLUG)[0].name]


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
    return _cards(results, language), "".join(draw_note(say(language, SLUG, hint)) for hint in hints)


@friendly
def on_reveal(
    text: str, models: list[str], top_k: int, targets: str | None, guess: str, hidden: Hidden, request: gr.Request
) -> tuple[str, str]:
    """Show the answers, and where the visitor's guess stands in them."""
    language, guess = language_of(request), (guess or "").strip()
    if not guess:
        return "", draw_note(say(language, SLUG, "guess_needed"))
    results = [fill_mask(text, model, top_k, [*_split(targets), guess]) for model in check_models(models, MAX_MODELS)]
    notes = [draw_guess(result, texts(SLUG)[language]) for result in results]
    if original := hidden_in(text, hidden).words[0]:
        notes.append(draw_note(say(language, SLUG, "guess_original", word=original)))
    return _cards(results, language), "".join(notes)


@friendly
def on_surprise(text: str, models: list[str], request: gr.Request) -> str:
    """Colour the tokens by how little each chosen model expected them."""
    language = language_of(request)
    cards = [
        draw_surprisal(score(text, model), text, trust(language, model), texts(SLUG)[language])
        for model in check_models(models, MAX_MODELS)
    ]
    return f"<div class='answers'>{''.join(cards)}</div>"


@friendly
def on_word(text: str, hidden: Hidden, request: gr.Request, event: gr.EventData) -> tuple[str, str, Hidden]:
    """Hide the clicked word, or bring it back."""
    after = toggle(text, event.start, event.end, hidden)
    return after.text, draw_words(after.text, texts(SLUG)[language_of(request)]), after


def on_text(text: str, request: gr.Request) -> tuple[str, gr.Button]:
    """The sentence as words to click, and whether a full stop is offered."""
    return draw_words(text, texts(SLUG)[language_of(request)]), gr.Button(visible=ends_with_blank(text))


def on_add_stop(text: str) -> str:
    """Put a full stop behind a blank at the end."""
    return text.rstrip() + "."


@friendly
def on_example(
    index: int, models: list[str], top_k: int, targets: str, guess_first: bool, request: gr.Request
) -> tuple[str, list[str], str, str]:
    """Put an example into the page, with a model that knows its language, and answer it with its note."""
    language = language_of(request)
    chosen = examples(language, SLUG)[index]
    models = readers(models, chosen["text"], SLUG)
    answers, note = on_run(chosen["text"], models, top_k, targets, guess_first, request)
    if "note" in chosen and not guess_first:
        note += draw_note(say(language, SLUG, chosen["note"]))
    return chosen["text"], models, answers, note


@friendly
def on_open(request: gr.Request) -> tuple[str, gr.Dropdown, gr.Dataset, str, gr.Button]:
    """Fill the page in the visitor's language, or from a copied link (keys `text` and `model`)."""
    language, query = language_of(request), request.query_params
    linked = query if query.get("tab", SLUG) == SLUG else {}
    samples = examples(language, SLUG)
    text = linked.get("text") or samples[0]["text"]
    known = {checkpoint.name for checkpoint in for_task(SLUG)}
    chosen = [name for name in linked.get("model", "").split(",") if name in known or may_be_named(name)][:MAX_MODELS]
    ready = {entry.name for entry in list_models(SLUG) if entry.status in ("loaded", "ready")}
    choices = model_choices(language, for_task(SLUG), ready)
    picker = gr.Dropdown(choices=choices, value=chosen or readers(DEFAULT, text, SLUG))
    return text, picker, gr.Dataset(samples=[[sample["text"]] for sample in samples]), *on_text(text, request)


def _cards(results: list[FillMaskResult], language: str) -> str:
    cards = [draw_fill_mask(result, trust(language, result.model), texts(SLUG)[language]) for result in results]
    return f"<div class='answers'>{''.join(cards)}</div>"


def _split(targets: str | None) -> list[str]:
    return [word.strip() for word in (targets or "").replace("，", ",").split(",") if word.strip()]


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    _wire(page, _draw(page))
    endpoint(fill_mask, api_name="fill_mask")
    endpoint(score, api_name="score")
    endpoint(list_models, api_name="models")


def _draw(page: gr.Blocks) -> SimpleNamespace:
    c = SimpleNamespace(hidden=gr.State(Hidden()))
    gr.Markdown(mark(SLUG, "intro"))
    with gr.Row(equal_height=True):
        size = {"scale": 3, "min_width": 280}
        c.text = gr.Textbox(
            label=mark(SLUG, "text"), info=mark(SLUG, "text_hint"), lines=2, elem_id="fill_mask-text", **size
        )
        size |= {"multiselect": True, "max_choices": MAX_MODELS, "label": mark(SLUG, "models")}
        c.models = gr.Dropdown([checkpoint.name for checkpoint in for_task(SLUG)], value=DEFAULT, **size)
    download_panel(c.models, downloads, SLUG)
    gr.Markdown(mark(SLUG, "words_title"), elem_classes="caption")
    c.words = words("fill_mask-words")
    with gr.Row():
        c.run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="fill_mask-run")
        c.surprise = gr.Button(mark(SLUG, "surprise"), elem_id="fill_mask-surprise")
        c.add_stop = gr.Button(mark(SLUG, "add_stop"), visible=False, elem_id="fill_mask-add-stop")
    with gr.Accordion(mark(SLUG, "more"), open=False):
        c.targets = gr.Textbox(
            label=mark(SLUG, "targets"), info=mark(SLUG, "targets_hint"), elem_id="fill_mask-targets"
        )
        c.top_k = gr.Slider(1, 20, value=5, step=1, label=mark(SLUG, "top_k"))
        c.guess_first = gr.Checkbox(label=mark(SLUG, "guess_first"), elem_id="fill_mask-guess-first")
        with gr.Row(visible=False) as c.guessing:
            c.guess = gr.Textbox(label=mark(SLUG, "guess"), elem_id="fill_mask-guess")
            c.reveal = gr.Button(mark(SLUG, "reveal"), variant="primary", elem_id="fill_mask-reveal")
    c.note, c.answers = gr.HTML(elem_id="fill_mask-note"), gr.HTML(elem_id="fill_mask-answers")
    look_inside(page, SLUG, attention_answers, text=c.text, models=c.models)
    c.samples = gr.Dataset(
        components=[c.text], samples=[[""]], type="index", label=mark(SLUG, "examples_title"), samples_per_page=20
    )
    copy_link(SLUG, {"text": c.text, "model": c.models})
    return c


def _wire(page: gr.Blocks, c: SimpleNamespace) -> None:
    quiet = {"show_progress": "hidden", **PRIVATE}
    asked, shown = [c.text, c.models, c.top_k, c.targets], [c.answers, c.note]
    gr.on([c.run.click, c.text.submit, c.targets.submit], on_run, [*asked, c.guess_first], shown, **PRIVATE)
    gr.on([c.reveal.click, c.guess.submit], on_reveal, [*asked, c.guess, c.hidden], shown, **PRIVATE)
    c.surprise.click(on_surprise, [c.text, c.models], c.answers, **PRIVATE)
    c.text.change(on_text, c.text, [c.words, c.add_stop], **quiet)
    c.words.click(on_word, [c.text, c.hidden], [c.text, c.words, c.hidden], **quiet)
    c.add_stop.click(on_add_stop, c.text, c.text, **PRIVATE).then(on_run, [*asked, c.guess_first], shown, **PRIVATE)
    c.guess_first.change(lambda wanted: gr.Row(visible=wanted), c.guess_first, c.guessing, **quiet)
    c.samples.click(on_example, [c.samples, *asked[1:], c.guess_first], [c.text, c.models, *shown], **PRIVATE)
    page.load(on_open, None, [c.text, c.models, c.samples, c.words, c.add_stop], **QUICK)


def warm() -> None:
    """Load the default model, so that the first visitor does not wait for it."""
    fill_mask("The [MASK] is warm.")


TAB = Tab(slug=SLUG, order=1, build=build, warm=warm)

if __name__ == "__main__":
    launch(standalone(TAB)).block_thread()
