"""Fine-tuning: train a small encoder on your own labelled sentences. `python -m demos.fine_tune` runs it alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gradio as gr

from app.registry.lookup import for_task
from app.tasks.classification import classify
from app.tasks.classify_panel import own_models
from app.tasks.fine_tune import TunedRun, Tuning, fine_tune, is_small
from app.tasks.label_map import label_map
from app.tasks.labelled_rows import METHODS, Options
from app.tasks.text_table import read_file, split_lines
from app.tasks.tokenization import list_models
from app.tasks.tuning_panel import end_visit, gather_rows, read_sample, start_tuning, stop_tuning, take_home
from app.ui.components.tuning_form import Form, tuning_form
from app.ui.events import PRIVATE, QUICK, endpoint, friendly, friendly_stream, visitor_of
from app.ui.shell import launch, standalone
from app.ui.tab import Tab
from app.ui.texts import language_of, mark, say, texts
from app.ui.widgets import model_choices
from app.views.cards import draw_cards
from app.views.classification import draw_table
from app.views.fine_tune import draw_curves, draw_outcome
from app.views.label_map import draw_label_map
from app.views.notes import draw_note
from app.views.runs import draw_runs

SLUG = "fine_tune"
SAMPLES = ("films", "questions", "reviews_zh")
MAP_ROWS = 300
Shown = tuple[Any, ...]


@friendly_stream
def on_start(
    lines: str, path: str | None, text_column: str, label_column: str, model: str, method: str, epochs: int,
    rate: str, batch: int, seed: int, share: float, augment: bool, scratch: bool, runs: list[TunedRun],
    request: gr.Request,
) -> Iterator[Shown]:  # fmt: skip
    """Train, and show the curves as they grow; the finished run joins the table."""
    labels = texts(SLUG)[language_of(request)]
    options = Options(epochs, _rate(rate), seed, share, batch, method, augment, scratch)
    rows = gather_rows(lines, path, text_column, label_column)
    run: TunedRun | None = None
    for state in start_tuning(rows, model, options, visitor_of(request)):
        if isinstance(state, TunedRun):
            run = state
        else:
            yield draw_note(_status(state, labels)), _curves(runs, state, labels), gr.skip(), gr.skip(), gr.skip(), runs
    if run is None:
        yield draw_note(labels["nothing"]), _curves(runs, None, labels), gr.skip(), gr.skip(), gr.skip(), runs
        return
    runs = [*runs, run]
    yield (
        draw_note(labels["use_hint"]), _curves(runs, None, labels), draw_outcome(run.result, run.judged, labels),
        draw_runs(runs, labels), _own(request), runs,
    )  # fmt: skip


def _rate(rate: str) -> object:
    try:
        return float(rate)
    except (TypeError, ValueError):
        return rate  # refused with the range


def _status(tuning: Tuning, labels: dict[str, str]) -> str:
    if tuning.ahead:
        return labels["waiting"].format(ahead=tuning.ahead)
    report = tuning.report
    if report is None or not report.step:
        return labels["preparing"]
    values = {"step": report.step, "steps": report.steps, "loss": f"{report.loss:.3f}"}
    return labels["running"].format(left=f"{report.seconds_left:.0f}", **values)


def _curves(runs: list[TunedRun], tuning: Tuning | None, labels: dict[str, str]) -> str:
    drawn = [(run.result.name, run.result.history, run.result.validation_history) for run in runs]
    steps = 0
    if tuning is not None and tuning.report is not None:
        drawn.append(("…", list(tuning.history), list(tuning.validations)))
        steps = tuning.report.steps
    return draw_curves(drawn, steps, labels) if drawn else ""


def _own(request: gr.Request) -> gr.Dropdown:
    names = list(own_models(visitor_of(request)))
    return gr.Dropdown(choices=names, value=names[-1] if names else None)


def on_stop(request: gr.Request) -> None:
    """End the training; the best so far is kept."""
    stop_tuning(visitor_of(request))


def on_leave(request: gr.Request) -> None:
    """The page was closed: what was trained in it goes."""
    end_visit(visitor_of(request))


@friendly
def on_try(lines: str, name: str, request: gr.Request) -> str:
    """Ask the visitor's model."""
    result = classify(split_lines(lines or ""), name or "", visitor=visitor_of(request))
    return draw_table([result], [""], texts("classification")[language_of(request)])


@friendly
def on_take_home(name: str, runs: list[TunedRun], request: gr.Request) -> gr.DownloadButton:
    """Zip the model."""
    made = next((run.result for run in runs if run.result.name == name), None)
    values = {"name": name, "base": made.model, "rows": made.rows, "labels": ", ".join(made.labels)} if made else {}
    card = say(language_of(request), SLUG, "card", **values) if made else ""
    return gr.DownloadButton(value=take_home(name or "", visitor_of(request), card), visible=True)


@friendly
def on_map(name: str, runs: list[TunedRun], request: gr.Request) -> str:
    """The rows kept back as points, in the encoder and in the model made from it."""
    labels, visitor = texts(SLUG)[language_of(request)], visitor_of(request)
    run = next((run for run in runs if run.result.name == name), None)
    if run is None or len(run.judged) < 3:
        return draw_note(labels["fewer" if run is None else "map_few"])
    answer = classify([row.text for row in run.judged[:MAP_ROWS]], name, visitor=visitor)
    pictures = [
        draw_label_map(label_map(answer, "pca", visitor, model), labels[key].format(model=model or name))
        for key, model in (("map_before", run.result.model), ("map_after", ""))
    ]
    return draw_cards(f"<article class='answer'>{picture}</article>" for picture in pictures)


@friendly
def on_file(path: str | None, request: gr.Request) -> tuple[gr.Dropdown, gr.Dropdown]:
    """Offer the columns of a file."""
    names = read_file(path).columns if path else []
    label = next((name for name in names if name.lower() in ("label", "labels", "class")), names[-1] if names else None)
    text = next((name for name in names if name != label), None)
    shown = bool(path)
    return gr.Dropdown(choices=names, value=text, visible=shown), gr.Dropdown(choices=names, value=label, visible=shown)


@friendly
def on_open(request: gr.Request) -> tuple[str, gr.Dropdown, str]:
    """Fill the page in the visitor's language."""
    language = language_of(request)
    ready = {entry.name for entry in list_models(SLUG) if entry.status != "not downloaded"}
    encoders = [checkpoint for checkpoint in for_task(SLUG) if checkpoint.name in ready and is_small(checkpoint)]
    chosen = next((c.name for c in encoders if c.source == "bundled"), encoders[0].name if encoders else None)
    picker = gr.Dropdown(choices=model_choices(language, encoders, ready), value=chosen)
    return read_sample(SAMPLES[0]), picker, say(language, SLUG, "try_lines")


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    form: Form = tuning_form(SLUG, SAMPLES, METHODS)
    runs = gr.State([])
    with gr.Row():
        start = gr.Button(mark(SLUG, "start"), variant="primary", elem_id="fine_tune-start")
        stop = gr.Button(mark(SLUG, "stop"), elem_id="fine_tune-stop")
        scratch = gr.Button(mark(SLUG, "compare"), elem_id="fine_tune-scratch")
    status, curves, outcome = (gr.HTML(elem_id=f"fine_tune-{name}") for name in ("status", "curves", "outcome"))
    gr.Markdown(mark(SLUG, "runs_title"))
    table = gr.HTML(elem_id="fine_tune-runs")
    own = gr.Dropdown(label=mark(SLUG, "try_model"), elem_id="fine_tune-own")
    lines = gr.Textbox(label=mark(SLUG, "try"), lines=2, elem_id="fine_tune-try")
    with gr.Row():
        ask = gr.Button(mark(SLUG, "try_run"), elem_id="fine_tune-ask")
        draw = gr.Button(mark(SLUG, "map_run"), elem_id="fine_tune-map")
        pack = gr.Button(mark(SLUG, "take_home"), elem_id="fine_tune-pack")
    file = gr.DownloadButton(mark(SLUG, "download"), visible=False, elem_id="fine_tune-zip")
    answer, picture = gr.HTML(elem_id="fine_tune-answer"), gr.HTML(elem_id="fine_tune-picture")

    shown = [status, curves, outcome, table, own, runs]
    start.click(on_start, [*form.fields, runs], shown, show_progress="hidden", **PRIVATE)
    from_scratch = scratch.click(lambda: True, None, form.from_scratch, **PRIVATE)
    compared = from_scratch.then(on_start, [*form.fields, runs], shown, show_progress="hidden", **PRIVATE)
    compared.then(lambda: False, None, form.from_scratch, **PRIVATE)
    stop.click(on_stop, None, None, **PRIVATE)
    form.sample.change(read_sample, form.sample, form.lines, **PRIVATE)
    form.file.change(on_file, form.file, [form.text_column, form.label_column], **PRIVATE)
    ask.click(on_try, [lines, own], answer, **PRIVATE)
    draw.click(on_map, [own, runs], picture, **PRIVATE)
    pack.click(on_take_home, [own, runs], file, **PRIVATE)
    page.load(on_open, None, [form.lines, form.model, lines], **QUICK)
    page.unload(on_leave)

    endpoint(fine_tune, api_name=SLUG)


TAB = Tab(slug=SLUG, order=4.5, build=build)

if __name__ == "__main__":
    launch(standalone(TAB)).block_thread()
