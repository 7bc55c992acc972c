"""Sentence pairs: does the second follow, is their order right? `python -m demos.sentence_pair` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.registry.lookup import readers
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.checks import check_models
from app.tasks.sentence_pair.judge import list_judges, sentence_matrix, sentence_pair
from app.tasks.sentence_pair.order import Puzzle, moved, order_paragraph, shuffled
from app.tasks.sentence_pair.topic_trap import PUBLISHED, measured_accuracies, topic_trap
from app.ui.asking import Asking
from app.ui.components.download_panel import download_panel
from app.ui.components.order_list import order_list, read_order
from app.ui.components.pair_models import one_of_each, pair_choices
from app.ui.components.plots import plots, shown
from app.ui.events import LONG, PRIVATE, endpoint, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, linked_models, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, example_note, examples, language_of, mark, say, texts
from app.ui.unknown import unknown_note
from app.ui.widgets import deeper, draw_examples, example_list, sides
from app.views.cards import draw_cards
from app.views.notes import draw_note
from app.views.sentence_order import draw_order_list, draw_paragraph, plot_matrix
from app.views.sentence_pair import draw_sentence_pair
from app.views.topic_trap import draw_accuracies, plot_topic_trap

SLUG = "sentence_pair"
MAX_MODELS = 3
Shown = tuple[object, ...]


@friendly
def on_run(first: str, second: str, models: list[str], request: gr.Request) -> tuple[str, str]:
    """Let every chosen model judge the pair."""
    language, cards = language_of(request), []
    for model in check_models(models, MAX_MODELS):
        result = sentence_pair(first, second, model)
        unknown = unknown_note(language, model, result.unknown, first, second)
        cards.append(draw_sentence_pair(result, about(language, model), texts(SLUG)[language], unknown))
    return draw_cards(cards), draw_note(_remark(first, second, language))


@friendly
def on_example(models: list[str], request: gr.Request, event: gr.EventData) -> tuple[str, str, list[str]]:
    """Put an example into the page, with the model that it asks for."""
    chosen = examples(language_of(request), SLUG)[event.at]
    return chosen["first"], chosen["second"], _readers(chosen["first"], models)


@friendly
def on_trap(first: str, second: str, other: str, models: list[str], request: gr.Request) -> tuple[gr.Plot, str]:
    """Run the three pairs through every chosen model; the paper's figures are shown next to them."""
    language, labels = language_of(request), texts(SLUG)[language_of(request)]
    results = [topic_trap(first, second, other, model) for model in check_models(models, MAX_MODELS)]
    figures = shown([plot_topic_trap(results, labels)], 1, language)
    return *figures, draw_cards([draw_accuracies(PUBLISHED, measured_accuracies(), labels)])


@friendly
def on_shuffle(paragraph: str, puzzle: Puzzle, request: gr.Request) -> Shown:
    """Cut the paragraph into sentences and shuffle them."""
    puzzle = shuffled(paragraph, puzzle)
    listed = draw_order_list(puzzle.sentences, puzzle.order, texts(SLUG)[language_of(request)])
    return listed, puzzle, "", *shown([], MAX_MODELS, language_of(request))


@friendly
def on_compare(paragraph: str, models: list[str], order: list[int], puzzle: Puzzle, request: gr.Request) -> Shown:
    """Compare the visitor's order with each model's best and the written one; of the paragraph as it was shuffled."""
    language, puzzle = language_of(request), moved(puzzle, order)
    if not puzzle.sentences:
        return draw_note(say(language, SLUG, "shuffle_first")), *shown([], MAX_MODELS, language)
    labels, cards, figures = texts(SLUG)[language], [], []
    for model in check_models(models, MAX_MODELS):
        result = order_paragraph(list(puzzle.sentences), puzzle.order, model)
        cards.append(draw_paragraph(result, puzzle.sentences, about(language, model), labels))
        figures.append(plot_matrix(result, puzzle.sentences, labels))
    return draw_cards(cards), *shown(figures, MAX_MODELS, language)


@friendly
def on_paragraph(models: list[str], request: gr.Request, event: gr.EventData) -> tuple[str, list[str]]:
    """Put a prepared paragraph into the page."""
    chosen = texts(SLUG)[language_of(request)]["paragraphs"][event.at]
    return chosen["text"], _readers(chosen["text"], models)


@friendly
def on_open(request: gr.Request) -> Shown:
    """Fill the page in the visitor's language, or from a copied link (keys `first`, `second` and `model`)."""
    language, linked = language_of(request), linked_fields(request, SLUG)
    labels, judges = texts(SLUG)[language], list_judges()
    chosen = linked_models(linked, {judge.name for judge in judges}, MAX_MODELS, language)
    first = linked.get("first") or labels["examples"][0]["first"]
    note = "" if any(judge.objective == "sop" and judge.ready for judge in judges) else say(language, SLUG, "no_sop")
    return (
        first,
        linked.get("second") or labels["examples"][0]["second"],
        gr.Dropdown(choices=pair_choices(language, judges), value=chosen or _readers(first, one_of_each(judges))),
        draw_examples(language, SLUG, [f"{sample['first']} / {sample['second']}" for sample in labels["examples"]]),
        draw_examples(language, SLUG, [sample["text"] for sample in labels["paragraphs"]], "paragraphs"),
        labels["paragraphs"][0]["text"],
        *labels["trap"].values(),
        gr.HTML(draw_note(note), visible=bool(note)),
    )


def on_picker(request: gr.Request) -> list[tuple[str, str]]:
    """What the picker offers, with what is on this machine by now."""
    return pair_choices(language_of(request), list_judges())


def _readers(text: str, models: list[str]) -> list[str]:
    """Of the chosen models those that know the text's language, else one that does."""
    return readers(models or one_of_each(list_judges()), text, SLUG)


def _remark(first: str, second: str, language: str) -> str:
    """Why an example is hard, or that the two are the same."""
    if first.strip() == second.strip():
        return say(language, SLUG, "same_twice")
    return example_note(language, SLUG, first=first, second=second)


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        first = gr.Textbox(label=mark(SLUG, "first"), lines=2, elem_id="sentence_pair-first")
        second = gr.Textbox(label=mark(SLUG, "second"), lines=2, elem_id="sentence_pair-second")
        models = gr.Dropdown(label=mark(SLUG, "models"), multiselect=True, max_choices=MAX_MODELS)
        download_panel(models, downloads, on_picker)
        with gr.Row():
            run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="sentence_pair-run")
            swap = gr.Button(mark(SLUG, "swap"), elem_id="sentence_pair-swap")
        samples = example_list(SLUG)
    with right:
        missing = gr.HTML(visible=False)
        note, answers = gr.HTML(elem_id="sentence_pair-note"), gr.HTML(elem_id="sentence_pair-answers")
        look_inside(SLUG, attention_answers, text=first, second=second, models=models)
    copy_link(page, SLUG, {"first": first, "second": second, "model": models})
    trap = _build_trap(models)
    paragraph, paragraphs = _build_order(models)

    asked, judged = [first, second, models], [answers, note]
    question = Asking(on_run, asked, judged, judged)
    question.on(run.click, first.submit, second.submit)
    question.after(swap.click(lambda one, other: (other, one), [first, second], [first, second], **PRIVATE))
    question.after(samples.click(on_example, [models], asked, **PRIVATE))
    filled = [first, second, models, samples, paragraphs, paragraph, *trap, missing]
    open_linked(page, SLUG, on_open, filled, FirstAnswer(question, note))

    endpoint(page, sentence_pair, api_name="sentence_pair")
    endpoint(page, sentence_matrix, api_name="sentence_matrix", places=LONG)


def _build_trap(models: gr.Dropdown) -> list[gr.Textbox]:
    with deeper(SLUG, "trap"):
        with gr.Row(equal_height=True):
            keys = ("trap_first", "trap_second", "trap_third")
            boxes = [gr.Textbox(label=mark(SLUG, key), lines=2, min_width=220) for key in keys]
        run = gr.Button(mark(SLUG, "trap_run"), elem_id="sentence_pair-trap")
        trapped = [*plots("sentence_pair-trap-plot"), gr.HTML(elem_id="sentence_pair-trapped")]
    Asking(on_trap, [*boxes, models], trapped, trapped).on(run.click)
    return boxes


def _build_order(models: gr.Dropdown) -> tuple[gr.Textbox, gr.HTML]:
    with deeper(SLUG, "order"):
        paragraph = gr.Textbox(label=mark(SLUG, "paragraph"), lines=5, max_lines=8, elem_id="sentence_pair-paragraph")
        prepared = example_list(SLUG, "paragraphs")
        shuffle = gr.Button(mark(SLUG, "shuffle"), elem_id="sentence_pair-shuffle")
        puzzle, entries = gr.State(Puzzle()), order_list("sentence_pair-order")
        compare = gr.Button(mark(SLUG, "compare"), variant="primary", elem_id="sentence_pair-compare")
        ordered = [gr.HTML(elem_id="sentence_pair-ordered"), *plots("sentence_pair-matrix", MAX_MODELS)]
    shuffle.click(on_shuffle, [paragraph, puzzle], [entries, puzzle, *ordered], **PRIVATE)
    order = gr.JSON(visible=False)  # filled in the browser, in the moment of the click
    read = read_order("sentence_pair-order", place=2)
    Asking(on_compare, [paragraph, models], ordered, ordered, also=[order, puzzle], read=read).on(compare.click)
    prepared.click(on_paragraph, [models], [paragraph, models], **PRIVATE)
    return paragraph, prepared


def warm() -> None:
    """Load the default model, so that the first visitor does not wait for it."""
    sentence_pair("The dog barked.", "The cat ran away.")


TAB = Tab(slug=SLUG, group="blanks", order=7, build=build, warm=warm)

if __name__ == "__main__":
    serve(standalone(TAB))
