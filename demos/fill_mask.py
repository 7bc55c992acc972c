"""Masked words: hide a word, and see what BERT, RoBERTa or ALBERT put there. `python -m demos.fill_mask` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.errors import PlaygroundError
from app.registry.lookup import for_task
from app.tasks.fill_mask import fill_mask
from app.tasks.hide import Hidden, ends_with_blank, hidden_in, toggle
from app.tasks.score import score
from app.tasks.tokenization import changes_letters, list_models
from app.ui.components.words import words
from app.ui.events import PRIVATE, endpoint, friendly
from app.ui.shell import launch, standalone
from app.ui.tab import Tab
from app.ui.texts import examples, language_of, mark, say, texts, trust
from app.ui.widgets import copy_link, model_choices
from app.views.candidates import draw_fill_mask, in_percent
from app.views.notes import draw_note
from app.views.tokens import draw_surprisal, draw_words

SLUG = "fill_mask"
MAX_MODELS = 3


@friendly
def on_run(
    text: str, models: list[str], top_k: int, targets: str, guess_first: bool, request: gr.Request
) -> tuple[str, str]:
    """Fill the blanks with every chosen model, unless the visitor wants to guess first."""
    if guess_first:
        return draw_note(say(language_of(request), SLUG, "guess_needed")), ""
    return _answers(text, models, top_k, _split(targets), request), _hints(text, models, request)


@friendly
def on_reveal(
    text: str, models: list[str], top_k: int, targets: str, guess: str, hidden: Hidden, request: gr.Request
) -> tuple[str, str]:
    """Show the answers, and where the visitor's guess stands in them."""
    language, guess = language_of(request), (guess or "").strip()
    if not guess:
        return draw_note(say(language, SLUG, "guess_needed")), ""
    lines = []
    for model in _checked(models):
        target = fill_mask(text, model, 1, [guess]).targets[0]
        key = "guess_result" if target.rank else "guess_result_pieces"
        lines.append(
            say(
                language, SLUG, key, word=guess, model=model, rank=target.rank, count=len(target.pieces),
                probability=in_percent(target.probability),
            )
        )
    original = hidden_in(text, hidden).words[0]
    if original:
        lines.append(say(language, SLUG, "guess_original", word=original))
    return _answers(text, models, top_k, [*_split(targets), guess], request), "".join(map(draw_note, lines))


@friendly
def on_surprise(text: str, models: list[str], request: gr.Request) -> str:
    """Colour the tokens by how little each chosen model expected them."""
    language = language_of(request)
    cards = [
        draw_surprisal(score(text, model), text, trust(language, model), texts(SLUG)[language])
        for model in _checked(models)
    ]
    return f"<div class='answers'>{''.join(cards)}</div>"


@friendly
def on_word(text: str, hidden: Hidden, request: gr.Request, event: gr.EventData) -> tuple[str, str, Hidden]:
    """Hide the clicked word, or bring it back."""
    after = toggle(text, event.start, event.end, hidden)
    return after.text, on_text(after.text, request), after


def on_text(text: str, request: gr.Request) -> str:
    """The sentence as words to click."""
    return draw_words(text, texts(SLUG)[language_of(request)])


def on_add_stop(text: str) -> str:
    """Put a full stop behind a blank at the end."""
    return text.rstrip() + "."


@friendly
def on_example(index: int, request: gr.Request) -> tuple[str, str, list[str]]:
    """Put an example into the page, with its note and its model."""
    language = language_of(request)
    chosen = examples(language, SLUG)[index]
    note = draw_note(say(language, SLUG, chosen["note"])) if "note" in chosen else ""
    return chosen["text"], note, [chosen.get("model", for_task(SLUG)[0].name)]


@friendly
def on_open(request: gr.Request) -> tuple[str, gr.Dropdown, gr.Dataset, str]:
    """Fill the page in the visitor's language, or from a copied link (keys `text` and `model`)."""
    language, query = language_of(request), request.query_params
    linked = query if query.get("tab", SLUG) == SLUG else {}
    samples = examples(language, SLUG)
    text = linked.get("text") or samples[0]["text"]
    known = {checkpoint.name for checkpoint in for_task(SLUG)}
    chosen = [name for name in linked.get("model", "").split(",") if name in known][:MAX_MODELS]
    ready = {entry.name for entry in list_models(SLUG) if entry.status != "not downloaded"}
    picker = gr.Dropdown(
        choices=model_choices(language, for_task(SLUG), ready), value=chosen or [for_task(SLUG)[0].name]
    )
    return text, picker, gr.Dataset(samples=[[sample["text"]] for sample in samples]), on_text(text, request)


def _answers(text: str, models: list[str], top_k: int, targets: list[str], request: gr.Request) -> str:
    language = language_of(request)
    cards = [
        draw_fill_mask(fill_mask(text, model, top_k, targets), trust(language, model), texts(SLUG)[language])
        for model in _checked(models)
    ]
    return f"<div class='answers'>{''.join(cards)}</div>"


def _checked(models: list[str]) -> list[str]:
    if not models or len(models) > MAX_MODELS:
        raise PlaygroundError("bad_value", "models", limit=MAX_MODELS)
    return models


def _split(targets: str | None) -> list[str]:
    return [word.strip() for word in (targets or "").replace("，", ",").split(",") if word.strip()]


def _hints(text: str, models: list[str], request: gr.Request) -> str:
    language = language_of(request)
    hints = []
    if ends_with_blank(text):
        hints.append("stop_hint")
    if any(changes_letters(text, model) for model in models):
        hints.append("lowercase_hint")
    return "".join(draw_note(say(language, SLUG, hint)) for hint in hints)


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    with gr.Row(equal_height=True):
        text = gr.Textbox(
            label=mark(SLUG, "text"), info=mark(SLUG, "text_hint"), lines=2, scale=3, min_width=280, elem_id="fill_mask-text"
        )
        models = gr.Dropdown(label=mark(SLUG, "models"), multiselect=True, max_choices=MAX_MODELS, scale=2, min_width=280)
    gr.Markdown(mark(SLUG, "words_title"), elem_classes="caption")
    clickable, hidden = words("fill_mask-words"), gr.State(Hidden())
    with gr.Row():
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="fill_mask-run")
        surprise = gr.Button(mark(SLUG, "surprise"), elem_id="fill_mask-surprise")
        add_stop = gr.Button(mark(SLUG, "add_stop"))
    with gr.Accordion(mark(SLUG, "more"), open=False):
        targets = gr.Textbox(label=mark(SLUG, "targets"), info=mark(SLUG, "targets_hint"), elem_id="fill_mask-targets")
        top_k = gr.Slider(1, 20, value=5, step=1, label=mark(SLUG, "top_k"))
        guess_first = gr.Checkbox(label=mark(SLUG, "guess_first"), elem_id="fill_mask-guess-first")
        with gr.Row(visible=False) as guessing:
            guess = gr.Textbox(label=mark(SLUG, "guess"), elem_id="fill_mask-guess")
            reveal = gr.Button(mark(SLUG, "reveal"), variant="primary", elem_id="fill_mask-reveal")
    note = gr.HTML(elem_id="fill_mask-note")
    answers = gr.HTML(elem_id="fill_mask-answers")
    samples = gr.Dataset(components=[text], samples=[[""]], type="index", label=mark(SLUG, "examples_title"))
    copy_link(SLUG, {"text": text, "model": models})

    asked, shown = [text, models, top_k, targets], [answers, note]
    gr.on([run.click, text.submit, targets.submit], on_run, [*asked, guess_first], shown, **PRIVATE)
    gr.on([reveal.click, guess.submit], on_reveal, [*asked, guess, hidden], shown, **PRIVATE)
    surprise.click(on_surprise, [text, models], answers, **PRIVATE)
    text.change(on_text, text, clickable, show_progress="hidden", **PRIVATE)
    clickable.click(on_word, [text, hidden], [text, clickable, hidden], show_progress="hidden", **PRIVATE)
    add_stop.click(on_add_stop, text, text, **PRIVATE).then(on_run, [*asked, guess_first], shown, **PRIVATE)
    guess_first.change(lambda wanted: gr.Row(visible=wanted), guess_first, guessing, show_progress="hidden", **PRIVATE)
    samples.click(on_example, samples, [text, note, models], **PRIVATE)
    page.load(on_open, None, [text, models, samples, clickable], show_progress="hidden", **PRIVATE)

    endpoint(fill_mask, api_name="fill_mask")
    endpoint(score, api_name="score")
    endpoint(list_models, api_name="models")


def warm() -> None:
    """Load the default model, so that the first visitor does not wait for it."""
    fill_mask("The [MASK] is warm.")


TAB = Tab(slug=SLUG, order=1, build=build, warm=warm)

if __name__ == "__main__":
    launch(standalone(TAB)).block_thread()
