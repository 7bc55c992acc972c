"""Surprise: how many bits a text costs a model, and pairs decided by it. `python -m demos.surprise` runs it alone."""

from __future__ import annotations

import gradio as gr

from app.registry.lookup import for_task, linked, readers
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.downloads import ready_models
from app.tasks.surprise.minimal_pairs import minimal_pairs
from app.tasks.surprise.score import score
from app.ui.asking import Asking
from app.ui.components.download_panel import download_panel
from app.ui.components.plots import plots, shown
from app.ui.events import LONG, PRIVATE, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, examples, language_of, mark, texts
from app.ui.unknown import unknown_note
from app.ui.widgets import deeper, draw_examples, example_list, model_choices, sides
from app.views.cards import draw_cards
from app.views.surprise import draw_comparison, draw_pairs
from app.views.surprise_curve import plot_bits
from app.views.tokens import draw_surprisal

SLUG = "surprise"


@friendly
def on_run(first: str, second: str, model: str, request: gr.Request) -> str:
    """Colour one text, or two side by side with their difference."""
    language = language_of(request)
    read = texts_of(first, second)
    results = [score(text, model) for text in read]
    labels = texts(SLUG)[language]
    cards = [
        draw_surprisal(
            result,
            text,
            about(language, result.model),
            labels,
            unknown_note(language, result.model, result.unknown, text),
            labels["numbered"].format(number=number) if len(read) > 1 else "",
        )
        for number, (text, result) in enumerate(zip(read, results, strict=True), start=1)
    ]
    return draw_cards([*cards, *([draw_comparison(results, labels)] if len(results) > 1 else [])])


@friendly
def on_bits(first: str, second: str, model: str, request: gr.Request) -> list[gr.Plot]:
    """The bits of every token, of one text or two."""
    language = language_of(request)
    results = [score(text, model) for text in texts_of(first, second)]
    return shown(plot_bits(results, texts(SLUG)[language]), 2, language)


@friendly
def on_pairs(lines: str, model: str, request: gr.Request) -> str:
    """Decide every pair by its probability."""
    language = language_of(request)
    result = minimal_pairs(lines, model)
    return draw_cards([draw_pairs(result, about(language, result.model), texts(SLUG)[language])])


def texts_of(first: str, second: str | None) -> list[str]:
    """The texts that there are."""
    return [first, *([second] if (second or "").strip() else [])]


def on_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str, str]:
    """Put two texts into the page, and a model that can read them."""
    chosen = examples(language_of(request), SLUG)[event.at]
    return chosen["first"], chosen["second"], readers([model], chosen["first"], "next_token")[0]


def on_pairs_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str]:
    """Put prepared pairs into the page, and a model that can read them."""
    lines = "\n".join(texts(SLUG)[language_of(request)]["pairs"][event.at]["lines"])
    return lines, readers([model], lines, "next_token")[0]


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a copied link (keys `first`, `second` and `model`)."""
    language, given = language_of(request), linked_fields(request, SLUG)
    labels = texts(SLUG)[language]
    ready = ready_models("score")
    causal = {checkpoint.name for checkpoint in for_task("next_token")}
    models = sorted(for_task("score"), key=lambda c: (c.name not in ready, c.name not in causal))
    names = [checkpoint.name for checkpoint in models]
    first = given.get("first") or labels["examples"][0]["first"]
    chosen = linked(given.get("model"), names, readers(names[:1], first, "next_token")[0])
    return (
        first,
        given.get("second", labels["examples"][0]["second"]),
        gr.Dropdown(choices=model_choices(language, models, ready), value=chosen),
        draw_examples(language, SLUG, [f"{sample['first']} / {sample['second']}" for sample in labels["examples"]]),
        "\n".join(labels["pairs"][0]["lines"]),
        draw_examples(language, SLUG, [sample["name"] for sample in labels["pairs"]], "prepared"),
    )


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        first = gr.Textbox(label=mark(SLUG, "first"), lines=3, elem_id="surprise-first")
        second = gr.Textbox(label=mark(SLUG, "second"), lines=3, elem_id="surprise-second")
        model = gr.Dropdown(label=mark(SLUG, "model"))
        download_panel(model, downloads, "score")
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="surprise-run")
        samples = example_list(SLUG)
    with right:
        answers = gr.HTML(elem_id="surprise-answers")
        draw, places = gr.Button(mark(SLUG, "curve_run"), elem_id="surprise-draw"), plots("surprise-bits", 2)
        look_inside(SLUG, attention_answers, text=first, models=model)
    copy_link(page, SLUG, {"first": first, "second": second, "model": model})
    with deeper(SLUG, "pairs"):
        lines = gr.Textbox(label=mark(SLUG, "pairs_label"), lines=6, max_lines=14, elem_id="surprise-lines")
        prepared = example_list(SLUG, "prepared")
        decide = gr.Button(mark(SLUG, "decide"), variant="primary", elem_id="surprise-decide")
        decided = gr.HTML(elem_id="surprise-decided")

    asked = [first, second, model]
    question = Asking(on_run, asked, [answers], [answers], places=LONG)
    pairs = Asking(on_pairs, [lines, model], [decided], [decided], places=LONG)
    question.on(run.click, first.submit, second.submit)
    question.after(samples.click(on_example, [model], asked, **PRIVATE))
    Asking(on_bits, asked, places, places, places=LONG).on(draw.click)
    pairs.on(decide.click)
    pairs.after(prepared.click(on_pairs_example, [model], [lines, model], **PRIVATE))
    open_linked(page, SLUG, on_open, [*asked, samples, lines, prepared], FirstAnswer(question, answers))


TAB = Tab(slug=SLUG, group="writing", order=9, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
