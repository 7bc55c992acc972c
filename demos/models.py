"""Models: facts with sources, weights by component, ALBERT's two changes. `python -m demos.models` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.registry.lookup import BY_NAME
from app.tasks.models.scores import measured_scores
from app.tasks.models.shapes import shapes
from app.tasks.models.take_apart import SIZES, bert_or_albert, take_apart
from app.tasks.tokenization.tokenize import list_models
from app.ui.asking import Asking
from app.ui.components.download_panel import keep_labels
from app.ui.components.plots import plots, shown
from app.ui.events import friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import open_linked
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, language_of, mark, texts
from app.ui.widgets import model_choices
from app.views.anatomy import draw_anatomy, draw_parts, in_millions, plot_parts, told_of, total
from app.views.cards import draw_cards
from app.views.claims import draw_claims
from app.views.families import draw_families
from app.views.html import card, tag
from app.views.measured import draw_scores, draw_shapes

SLUG = "models"
# Which model the page opens with, in Chinese one that reads the page's sentence.
FIRST = "bert-mini"
FIRST_IN = {"en": FIRST, "zh-CN": "bert-mini-zh"}
Shown = tuple[object, ...]


@friendly
def on_take_apart(model: str, request: gr.Request) -> Shown:
    """Count the weights of the chosen checkpoint."""
    language = language_of(request)
    labels, anatomy = texts(SLUG)[language], take_apart(model or FIRST)
    told = told_of(anatomy.model, anatomy.parts, labels)
    plot = plot_parts([(anatomy.model, anatomy.parts)], told, f"weights-{anatomy.model}", labels)
    drawn = draw_cards([draw_anatomy(anatomy, about(language, anatomy.model), labels)])
    return *shown([plot], 1, language), drawn


@friendly
def on_switch(size: str, factorised: bool, shared: bool, request: gr.Request) -> Shown:
    """Count BERT's weights, next to those with ALBERT's changes."""
    language = language_of(request)
    labels, bert, changed = texts(SLUG)[language], bert_or_albert(size, False, False), None
    named = [(labels["bert_of"].format(size=size), bert)]
    told = told_of(named[0][0], bert, labels)
    if factorised or shared:
        changed = bert_or_albert(size, factorised, shared)
        named.append((labels[f"changed.{_kind(factorised, shared)}"].format(size=size), changed))
        less = {"model": named[1][0], "weights": f"{total(changed):,}", "bert": in_millions(total(bert))}
        told = labels["switch_told"].format(**less, times=f"{total(bert) / total(changed):.1f}")
    plot = plot_parts(named, told, f"bert-albert-{size}", labels)
    cards = (card(tag("h3", name), draw_parts(parts, labels)) for name, parts in named)
    return *shown([plot], 1, language), draw_cards(cards)


def _kind(factorised: bool, shared: bool) -> str:
    return "both" if factorised and shared else "factorised" if factorised else "shared"


@friendly
def on_shapes(text: str, model: str, request: gr.Request) -> str:
    """The shapes that the text goes through."""
    chosen = model or FIRST
    return draw_cards([draw_shapes(shapes(text, chosen), chosen, texts(SLUG)[language_of(request)])])


def here(request: gr.Request, task: str = "") -> list[tuple[str, str]]:
    """The checkpoints on this machine, or those of them that serve a task."""
    ready = [entry.name for entry in list_models(task) if entry.is_here]
    return model_choices(language_of(request), [BY_NAME[name] for name in ready], set(ready))


def with_attention(request: gr.Request) -> list[tuple[str, str]]:
    """Those that have attention."""
    return here(request, "attention")


@friendly
def on_open(request: gr.Request) -> Shown:
    """Fill the page in the visitor's language."""
    language = language_of(request)
    labels = texts(SLUG)[language]
    offered, attentive = here(request), with_attention(request)
    return (
        draw_families(labels["families"], labels),
        gr.Dropdown(choices=offered, value=_first(offered, language)),
        gr.Dropdown(choices=attentive, value=_first(attentive, language)),
        labels["shapes_example"],
        draw_claims(labels["claims"], labels),
        draw_scores(measured_scores(), labels),
    )


def _first(offered: list[tuple[str, str]], language: str) -> str | None:
    names = [name for _, name in offered]
    return next((name for name in (FIRST_IN[language], FIRST, *names) if name in names), None)


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    families = gr.HTML(elem_id="models-families")
    gr.Markdown(mark(SLUG, "apart_title"))
    model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="models-model")
    keep_labels(model, here)
    count = gr.Button(mark(SLUG, "take_apart"), variant="primary", elem_id="models-count")
    apart = [*plots("models-weights"), gr.HTML(elem_id="models-parts")]
    question = Asking(on_take_apart, [model], apart, apart)
    question.on(count.click)
    _build_switches()
    text, attentive = _build_shapes()
    gr.Markdown(mark(SLUG, "claims_title"))
    claims = gr.HTML(elem_id="models-claims")
    with gr.Accordion(mark(SLUG, "scores_title"), open=False, elem_id="models-scores"):
        gr.Markdown(mark(SLUG, "scores_intro"))
        scores = gr.HTML(elem_id="models-measured")
    filled = [families, model, attentive, text, claims, scores]
    open_linked(page, SLUG, on_open, filled, FirstAnswer(question, apart[-1]))


def _build_switches() -> None:
    gr.Markdown(mark(SLUG, "switch_title"))
    with gr.Row():
        size = gr.Radio(list(SIZES), value=SIZES[0], label=mark(SLUG, "size"), elem_id="models-size")
        factorised = gr.Checkbox(label=mark(SLUG, "factorised"), elem_id="models-factorised")
        shared = gr.Checkbox(label=mark(SLUG, "shared"), elem_id="models-shared")
    recount = gr.Button(mark(SLUG, "recount"), variant="primary", elem_id="models-recount")
    compared = [*plots("models-compared"), gr.HTML(elem_id="models-table")]
    Asking(on_switch, [size, factorised, shared], compared, compared).on(
        recount.click, size.input, factorised.input, shared.input
    )


def _build_shapes() -> tuple[gr.Textbox, gr.Dropdown]:
    gr.Markdown(mark(SLUG, "shapes_title"))
    with gr.Row(equal_height=True):
        text = gr.Textbox(label=mark(SLUG, "shapes_text"), min_width=260, scale=3, elem_id="models-text")
        model = gr.Dropdown(label=mark(SLUG, "shapes_model"), min_width=260, scale=2)
        keep_labels(model, with_attention)
    run = gr.Button(mark(SLUG, "shapes_run"), variant="primary", elem_id="models-run")
    steps = gr.HTML(elem_id="models-steps")
    Asking(on_shapes, [text, model], [steps], [steps]).on(run.click, text.submit)
    return text, model


TAB = Tab(slug=SLUG, group="inside", order=17, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
