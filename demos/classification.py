"""Classification: labels of sentences, and the sentences as points. `python -m demos.classification` runs it alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import gradio as gr

from app.registry.lookup import BY_NAME, readers
from app.results.classification import ClassifyResult
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.checks import check_models
from app.tasks.classification.classify import classify, classify_in_steps, load_classifier
from app.tasks.classification.embed import embed
from app.tasks.classification.label_map import label_map
from app.tasks.classification.page import Asked, gather, leave_out_long, own_models, save_file
from app.tasks.files.encoding import ENCODINGS
from app.tasks.files.look import look_at_file
from app.tasks.files.table import write_csv
from app.tasks.tokenization.tokenize import list_models
from app.ui.asking import Asking
from app.ui.components.classifier_models import about_classifier, classifier_choices, first_ready
from app.ui.components.download_panel import download_panel, labelled
from app.ui.components.file_panel import file_panel, follow_file, show_file
from app.ui.components.plots import plots, shown
from app.ui.events import LONG, PRIVATE, endpoint, friendly, friendly_stream, visitor_of
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, linked_models, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import example_note, examples, language_of, mark, say, texts
from app.ui.unknown import unknown_in_many, unknown_note
from app.ui.widgets import deeper, draw_examples, example_list, sides
from app.views.cards import draw_cards
from app.views.classification import draw_classified, draw_left_out, draw_table, table_rows
from app.views.label_map import plot_label_map
from app.views.notes import draw_note

SLUG = "classification"
MAX_MODELS = 3
METHODS = {"pca": "PCA", "tsne": "t-SNE", "umap": "UMAP"}
# A long list is redrawn at most this often while it grows.
SECONDS_BETWEEN_DRAWINGS = 1.0
Shown = tuple[object, ...]


@friendly_stream
def on_run(
    lines: str, pairs: bool, path: str | None, encoding: str, names: bool | None, column: str, second: str,
    models: list[str], request: gr.Request,
) -> Iterator[Shown]:  # fmt: skip
    """Classify with every chosen model; what is done so far stays on the page when the visitor stops it."""
    language, visitor, started = language_of(request), visitor_of(request), time.monotonic()
    asked, left = gather(lines, pairs, path, encoding, names, column, second), ""
    results: list[ClassifyResult] = []
    for model in check_models(models, MAX_MODELS):  # all of them answer the same rows
        asked, out = leave_out_long(load_classifier(model, visitor), asked)
        left += draw_left_out(out, model, texts(SLUG)[language])
    for model in models:
        drawn = time.monotonic()
        for step in classify_in_steps(load_classifier(model, visitor), asked.texts, asked.seconds):
            if time.monotonic() - drawn > SECONDS_BETWEEN_DRAWINGS:
                values = {"model": model, "done": len(step.results), "total": len(asked.texts)}
                yield _answers([*results, step], asked, draw_note(say(language, SLUG, "progress", **values)), request)
                drawn = time.monotonic()
        results.append(step)
    seconds = f"{time.monotonic() - started:.1f}"
    done = draw_note(say(language, SLUG, "done", count=len(asked.texts), seconds=seconds))
    told = draw_note(example_note(language, SLUG, text=lines)) + left
    yield _answers(results, asked, told + (done if len(asked.texts) > 1 else ""), request)


def _answers(results: list[ClassifyResult], asked: Asked, note: str, request: gr.Request) -> Shown:
    language, own = language_of(request), own_models(visitor_of(request))
    abouts = [about_classifier(language, result.model, own) for result in results]
    labels, no_map = texts(SLUG)[language], ("", *shown([], MAX_MODELS, language))
    if len(asked.texts) == 1:
        cards = [
            draw_classified(result, line, labels, unknown_note(language, result.model, entry.unknown, *entry.parts))
            for result, line in zip(results, abouts, strict=True) for entry in result.results
        ]  # fmt: skip
        return draw_cards(cards), note, gr.DownloadButton(visible=False), results, *no_map
    path = save_file(visitor_of(request), "labels.csv", write_csv(*table_rows(results)))
    file = gr.DownloadButton(value=path, visible=True)
    remarks = [unknown_in_many(language, one.model, [entry.unknown for entry in one.results]) for one in results]
    return draw_table(results, abouts, labels, remarks), note, file, results, *no_map


@friendly
def on_file(path: str | None, encoding: str, names: bool | None, request: gr.Request) -> tuple[object, ...]:
    """Say what is in a file, and offer its columns."""
    language = language_of(request)
    seen = look_at_file(path, language, encoding, names) if path else None
    return show_file(replace(seen, second="") if seen else None, ("text", "second"), language)


@friendly
def on_example(models: list[str], request: gr.Request, event: gr.EventData) -> tuple[str, list[str]]:
    """Put an example into the page, with a model that knows its language."""
    text = examples(language_of(request), SLUG)[event.at]["text"]
    return text, readers(models or [], text, "classify")


@friendly
def on_map(results: list[ClassifyResult], method: str, request: gr.Request) -> Shown:
    """The sentences of the last answer as points, one plot for each model."""
    language = language_of(request)
    if not results or len(results[0].results) < 3:
        return draw_note(say(language, SLUG, "map_first")), *shown([], MAX_MODELS, language)
    figures, classes = [], [entry.label for result in results for entry in result.results[0].labels]
    for result in results:
        made = label_map(result, method, visitor_of(request))
        how = METHODS[made.method]
        if made.method != method:
            how = say(language, SLUG, "map_fell_back", asked=METHODS[method])
        elif made.setting:
            how = say(language, SLUG, f"map_{method}", method=how, setting=f"{made.setting:.3g}")
        values = {"count": len(made.texts), "model": made.model, "method": how}
        figures.append(plot_label_map(made, say(language, SLUG, "map_caption", **values), classes))
    return "", *shown(figures, MAX_MODELS, language)


def on_picker(request: gr.Request) -> list[tuple[str, str]]:
    """What the picker offers: the visitor's own models as well; one may have been trained meanwhile."""
    ready = downloads.ready_models("classify")
    return classifier_choices(language_of(request), own_models(visitor_of(request)), ready)


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, or from a copied link (keys `text`, `pairs`, `model`)."""
    language, linked = language_of(request), linked_fields(request, SLUG)
    samples, default = examples(language, SLUG), first_ready(list_models("classify"))
    titled = draw_examples(language, SLUG, [sample["text"].replace("\n", " / ") for sample in samples])
    text = linked.get("text") or samples[0]["text"]
    offered = {*BY_NAME, *own_models(visitor_of(request))}
    chosen = linked_models(linked, offered, MAX_MODELS, language) or readers([default], text, "classify")
    return text, linked.get("pairs") == "true", labelled(on_picker, chosen, request), titled


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        lines = gr.Textbox(label=mark(SLUG, "lines"), lines=3, max_lines=10, elem_id="classification-lines")
        many = {"multiselect": True, "max_choices": MAX_MODELS}
        models = gr.Dropdown(label=mark(SLUG, "models"), elem_id="classification-models", **many)
        download_panel(models, downloads, on_picker)
        with gr.Row():
            run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="classification-run")
            stop = gr.Button(mark(SLUG, "stop"), elem_id="classification-stop")
        samples = example_list(SLUG)
        with gr.Column(elem_classes="later"):
            pairs = gr.Checkbox(label=mark(SLUG, "pairs"), elem_id="classification-pairs")
            panel = file_panel(SLUG, mark(SLUG, "file"), ("column", "second_column"), list(ENCODINGS))
    with right:
        note, answers = gr.HTML(elem_id="classification-note"), gr.HTML(elem_id="classification-answers")
        look_inside(SLUG, attention_answers, text=lines, models=models, first_of_lines=True)
        file = gr.DownloadButton(mark(SLUG, "download"), visible=False, size="sm", elem_id="classification-download")
    copy_link(page, SLUG, {"text": lines, "pairs": pairs, "model": models})
    results = gr.State([])
    picture = _build_map(results)

    asked = [lines, pairs, *panel.given, *panel.columns, models]
    outputs = [answers, note, file, results, *picture]
    question = Asking(on_run, asked, outputs, [answers, note, *picture], grows=True, places=LONG)
    running = question.on(run.click)
    stop.click(None, cancels=[running], **PRIVATE)
    follow_file(panel, on_file)
    question.after(samples.click(on_example, [models], [lines, models], **PRIVATE))
    kept = {results: list[ClassifyResult]}
    open_linked(page, SLUG, on_open, [lines, pairs, models, samples], FirstAnswer(question, note, kept))
    endpoint(page, classify, api_name="classify", places=LONG)
    endpoint(page, embed, api_name="embed", places=LONG)


def _build_map(results: gr.State) -> list[gr.HTML | gr.Plot]:
    with deeper(SLUG, "map"):
        with gr.Row():
            method = gr.Radio(
                [(name, key) for key, name in METHODS.items()],
                value="pca",
                label=mark(SLUG, "map_method"),
                elem_id="classification-method",
            )
            draw = gr.Button(mark(SLUG, "map_run"), elem_id="classification-map")
        picture = [gr.HTML(elem_id="classification-picture"), *plots("classification-plot", MAX_MODELS)]
    Asking(on_map, [results, method], picture, picture, places=LONG).on(draw.click)
    return picture


TAB = Tab(slug=SLUG, group="labels", order=11, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
