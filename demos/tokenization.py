"""Tokens: a text under several tokenizers, BERT's masks, positions. `python -m demos.tokenization` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.errors import PlaygroundError
from app.registry.lookup import for_task, readers
from app.results.about import About
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.tokenization.alignment import ELMO_BYTES, align, cut
from app.tasks.tokenization.masking import draw_masks
from app.tasks.tokenization.positions import compare_positions
from app.tasks.tokenization.tokenize import list_models, tokenize
from app.ui.asking import Asking
from app.ui.components.download_panel import Choices, download_panel, keep_labels, of_task
from app.ui.components.plots import plots, shown
from app.ui.events import PRIVATE, endpoint, friendly, sentence
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, examples, language_of, mark, say, texts
from app.ui.widgets import draw_examples, example_list, model_choices, sides
from app.views.alignment import draw_alignment
from app.views.masking import draw_masking
from app.views.masking_draws import plot_draws
from app.views.notes import draw_note
from app.views.positions import mean_by_distance, plot_positions

SLUG = "tokenization"
MAX_MODELS = 6


@friendly
def on_run(text: str, models: list[str], elmo: bool, request: gr.Request) -> str:
    """Cut the text with every chosen tokenizer; one that cannot be loaded shows the reason in its place."""
    if (not models and not elmo) or len(models or []) > MAX_MODELS:
        raise PlaygroundError("bad_value", "models", limit=MAX_MODELS)
    language, rows, notes = language_of(request), [], []
    for model in [*models, *([ELMO_BYTES] if elmo else [])]:
        try:
            rows.append(cut(text, model))
        except PlaygroundError as error:
            if error.code != "model_unavailable":
                raise
            notes.append(say(language, SLUG, "unavailable", model=model, reason=sentence(error, language)))
    abouts = {row.model: about(language, row.model) for row in rows if row.model != ELMO_BYTES}
    abouts[ELMO_BYTES] = About("ELMo", "ELMo", "", "")
    drawn = draw_alignment(align(text, rows), abouts, texts(SLUG)[language]) if rows else ""
    return draw_note(*notes) + drawn


@friendly
def on_draw(text: str, model: str, seed: float, request: gr.Request) -> tuple[object, ...]:
    """Draw the masks of all epochs."""
    language = language_of(request)
    labels, result = texts(SLUG)[language], draw_masks(text, model, int(seed or 0))
    drawn = draw_masking(result, about(language, result.model), labels)
    return drawn, *shown(plot_draws(result, labels), 2, language)


def on_draw_again(seed: float) -> float:
    """The number of the next draw: the same number draws the same masks."""
    return (seed or 0) + 1


@friendly
def on_positions(model: str, request: gr.Request) -> list[gr.Plot]:
    """The cosines of the learned position vectors, and those of the sinusoidal ones."""
    language = language_of(request)
    result = compare_positions(model or "")
    said = {"model": result.model, "positions": result.positions, "dimensions": result.dimensions}
    figures = []
    for kind in ("learned", "sinusoidal"):
        cosines = getattr(result, kind)
        apart = [
            say(language, SLUG, "apart", apart=key, mean=f"{mean:.2f}")
            for key, mean in mean_by_distance(cosines).items()
        ]
        told = say(language, SLUG, kind, **said, apart=say(language, SLUG, "and").join(apart))
        figures.append(
            plot_positions(cosines, told, f"positions-{kind}-{result.model}", say(language, SLUG, "position"))
        )
    return shown(figures, 2, language)


def on_example(request: gr.Request, event: gr.EventData) -> str:
    """Put an example into the page."""
    return examples(language_of(request), SLUG)[event.at]["text"]


@friendly
def on_open(request: gr.Request) -> tuple[str, gr.Dropdown, gr.Dropdown, str, gr.Dropdown, str]:
    """Fill the page in the visitor's language, or from a copied link (keys `text` and `model`)."""
    language, linked = language_of(request), linked_fields(request, SLUG)
    samples = examples(language, SLUG)
    text = linked.get("text") or samples[0]["text"]
    entries = list_models("tokenize")
    ready = [entry.name for entry in entries if entry.is_here]
    family = {entry.name: entry.family for entry in entries}
    masked, placed = ready_first("fill_mask")(request), ready_first("attention")(request)
    # One of each kind; within a kind first those that know the text's language.
    ranked = [*readers(ready, text, "tokenize"), *ready]
    one_a_family = {family[name]: name for name in reversed(ranked) if name in ready}
    chosen = [name for name in linked.get("model", "").split(",") if name in family] or [*one_a_family.values()][::-1]
    return (
        text,
        gr.Dropdown(choices=model_choices(language, for_task("tokenize"), set(ready)), value=chosen[:MAX_MODELS]),
        gr.Dropdown(choices=masked, value=masked[0][1]),
        say(language, SLUG, "masking_example"),
        gr.Dropdown(choices=placed, value=placed[0][1]),
        draw_examples(language, SLUG, [sample["text"] for sample in samples]),
    )


def ready_first(task: str) -> Choices:
    """What a picker offers: the checkpoints of a task, first those on this machine."""

    def choices(request: gr.Request) -> list[tuple[str, str]]:
        ready = downloads.ready_models(task)
        ranked = sorted(for_task(task), key=lambda checkpoint: checkpoint.name not in ready)
        return model_choices(language_of(request), ranked, ready)

    return choices


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        text = gr.Textbox(label=mark(SLUG, "text"), lines=3, elem_id="tokenization-text")
        models = gr.Dropdown(label=mark(SLUG, "models"), multiselect=True, max_choices=MAX_MODELS)
        keep_labels(models, of_task(downloads, "tokenize"))
        elmo = gr.Checkbox(True, label=mark(SLUG, "elmo"))
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="tokenization-run")
        samples = example_list(SLUG)
    with right:
        answers = gr.HTML(elem_id="tokenization-answers")
        look_inside(SLUG, attention_answers, text=text, models=models)
    gr.Markdown(mark(SLUG, "sizes"))
    copy_link(page, SLUG, {"text": text, "model": models})
    question = Asking(on_run, [text, models, elmo], [answers], [answers])
    question.on(run.click, text.submit)
    question.after(samples.click(on_example, None, text, **PRIVATE))
    with gr.Accordion(mark(SLUG, "masking_title"), open=False, elem_id="tokenization-masking"):
        training_text, masked_model = _build_masking()
    with gr.Accordion(mark(SLUG, "positions_title"), open=False, elem_id="tokenization-positions"):
        placed_model = _build_positions()
    filled = [text, models, masked_model, training_text, placed_model, samples]
    open_linked(page, SLUG, on_open, filled, FirstAnswer(question, answers))

    endpoint(page, tokenize, api_name="tokenize")


def _build_masking() -> tuple[gr.Textbox, gr.Dropdown]:
    gr.Markdown(mark(SLUG, "masking_intro"))
    with gr.Row(equal_height=True):
        text = gr.Textbox(label=mark(SLUG, "masking_text"), lines=2, scale=3, min_width=280)
        model = gr.Dropdown(label=mark(SLUG, "masking_model"), scale=2, min_width=200)
        keep_labels(model, ready_first("fill_mask"))
        seed = gr.Number(0, label=mark(SLUG, "seed"), precision=0, minimum=0, min_width=100)
    again = gr.Button(mark(SLUG, "draw"), variant="primary", elem_id="tokenization-draw")
    drawn = [gr.HTML(elem_id="tokenization-drawn"), *plots("tokenization-draws", 2)]
    question = Asking(on_draw, [text, model, seed], drawn, drawn)
    question.after(again.click(on_draw_again, seed, seed, **PRIVATE))
    question.on(text.submit, seed.submit)
    return text, model


def _build_positions() -> gr.Dropdown:
    gr.Markdown(mark(SLUG, "positions_intro"))
    model = gr.Dropdown(label=mark(SLUG, "positions_model"))
    download_panel(model, downloads, ready_first("attention"))
    compare = gr.Button(mark(SLUG, "positions_run"), variant="primary", elem_id="tokenization-compare")
    squares = plots("tokenization-positions-plot", 2)
    Asking(on_positions, [model], squares, squares).on(compare.click)
    return model


TAB = Tab(slug=SLUG, group="words", order=3, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
