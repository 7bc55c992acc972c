"""Fine-tuning: train a small encoder on your own labelled sentences. `python -m demos.fine_tune` runs it alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import gradio as gr

from app.registry.checkpoint import TOKEN_CLASSIFICATION
from app.tasks.classification.classify import classify
from app.tasks.classification.page import gather, own_models
from app.tasks.files.encoding import ENCODINGS
from app.tasks.files.look import look_at_file
from app.tasks.fine_tune import comparing, naming, take_home
from app.tasks.fine_tune import page as tuning_panel
from app.tasks.fine_tune import runs as visit_runs
from app.tasks.fine_tune.advice import advise
from app.tasks.fine_tune.page import check_chosen, encoder_for, gather_rows, language_of_lines, read_sample, to_try
from app.tasks.fine_tune.race import page as race_page
from app.tasks.fine_tune.rows import RATE_OF, Options
from app.tasks.fine_tune.starting import methods_by_name, starting_points
from app.tasks.fine_tune.tune import TunedRun, fine_tune
from app.tasks.tagging.tag import tag_lines
from app.ui.asking import Asking
from app.ui.components.classifier_models import about_classifier
from app.ui.components.download_panel import keep_labels
from app.ui.components.file_panel import follow_file, show_file
from app.ui.components.plots import plots, shown
from app.ui.components.tuning.advice_panel import wire_advice
from app.ui.components.tuning.compare_panel import compare_panel
from app.ui.components.tuning.naming_panel import wire_naming
from app.ui.components.tuning.own_models import Own
from app.ui.components.tuning.race_panel import race_panel
from app.ui.components.tuning.run_drawing import RunDrawing, RunViews
from app.ui.components.tuning.start_picker import start_choices
from app.ui.components.tuning.take_home import take_home_panel
from app.ui.components.tuning.trained_panel import trained_panel
from app.ui.components.tuning.tuning_form import Form, tuning_form, typed_rate
from app.ui.events import LONG, PRIVATE, QUICK, TRAINING, endpoint, friendly, friendly_stream, visitor_of
from app.ui.links import name_fields, open_filled
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import language_of, mark, texts
from app.ui.unknown import unknown_in_many
from app.views import race as race_view
from app.views.classification import draw_table
from app.views.comparison import draw_comparison
from app.views.curves import plot_runs
from app.views.fine_tune import draw_outcome, hint, plot_confusion, status
from app.views.label_map import plot_label_map
from app.views.notes import draw_note
from app.views.runs import draw_runs
from app.views.tagging import draw_many_tagged

SLUG = "fine_tune"
ALL_OWN = partial(own_models, head="")
VIEWS = RunViews(draw_note, status, hint, plot_runs, plot_confusion, draw_outcome, draw_runs, ALL_OWN)
DRAWING = RunDrawing(SLUG, VIEWS)

# Gradio would swallow a click that follows a stop until the stopped run has ended.
AT_ONCE = {"trigger_mode": "multiple"}


@friendly_stream
def on_start(
    lines: str, path: str | None, encoding: str, names: bool | None, text_column: str, pair_column: str,
    label_column: str, model: str, method: str, epochs: int, rate: str, batch: int, seed: int, share: float,
    augment: bool, scratch: bool, weighed: bool, folds: int, runs: list[TunedRun], request: gr.Request,
) -> Iterator[tuple[Any, ...]]:  # fmt: skip
    """Train, and show the curves as they grow; the finished run joins the table."""
    weights = "balanced" if weighed else ""
    options = Options(epochs, typed_rate(rate), seed, share, batch, method, augment, scratch, weights, folds or 0, True)
    rows = gather_rows(lines, path, encoding, names, text_column, pair_column, label_column)
    yield from DRAWING.follow(visit_runs.start_tuning(rows, model, options, visitor_of(request)), runs, request)


@friendly_stream
def on_return(runs: list[TunedRun], request: gr.Request) -> Iterator[tuple[Any, ...]]:
    """Show a training that was begun before the page was opened."""
    yield from DRAWING.follow(visit_runs.watch_tuning(visitor_of(request)), runs, request)


def on_redraw(name: str, request: gr.Request) -> tuple[Any, ...]:
    """The models of the visit, with the outcome of the named one, after one was renamed or deleted."""
    return DRAWING.stand(visit_runs.runs_of(visitor_of(request)), name, request)


def on_stop(request: gr.Request) -> None:
    """End the training; the best so far is kept."""
    visit_runs.stop_tuning(visitor_of(request))


@friendly
def on_try(lines: str, name: str, runs: list[TunedRun], request: gr.Request) -> str:
    """Ask the visitor's model."""
    language, visitor, chosen = language_of(request), visitor_of(request), check_chosen(name)
    about = about_classifier(language, chosen, ALL_OWN(visitor))
    if chosen in own_models(visitor, head=TOKEN_CLASSIFICATION):
        return draw_many_tagged(tag_lines(lines, chosen, visitor), about, texts(SLUG)[language])
    asked = gather(lines, any(run.result.pairs for run in runs if run.result.name == chosen))
    result = classify(asked.texts, chosen, asked.seconds, visitor=visitor)
    unknown = unknown_in_many(language, chosen, [entry.unknown for entry in result.results])
    return draw_table([result], [about], texts("classification")[language], [unknown])


@friendly
def on_map(name: str, runs: list[TunedRun], request: gr.Request) -> tuple[Any, ...]:
    """The rows kept back as points, in the encoder and in the model made from it."""
    labels, run = texts(SLUG)[language_of(request)], next((run for run in runs if run.result.name == name), None)
    if run is None or len(run.judged) < 3:
        return draw_note(labels[tuning_panel.why_no_map(run)]), *shown([], 2, language_of(request))
    maps = zip(("map_before", "map_after"), tuning_panel.before_and_after(run, visitor_of(request)), strict=True)
    figures = [plot_label_map(made, labels[key].format(model=made.model), run.result.labels) for key, made in maps]
    return "", *shown(figures, 2, language_of(request))


@friendly
def on_file(
    path: str | None, encoding: str, names: bool | None, lines: str, model: str | None, request: gr.Request
) -> tuple[object, ...]:
    """Say what is in a file, offer its columns, and choose an encoder that knows its language."""
    seen = look_at_file(path, language_of(request), encoding, names) if path else None
    encoder = encoder_for(seen.language if seen else language_of_lines(lines), model)
    return *show_file(seen, ("text", "second", "label"), language_of(request)), encoder


def on_sample(name: str) -> tuple[str, str]:
    """Put a sample set into the box, and something to try afterwards."""
    return read_sample(name), to_try(name)


@friendly
def on_open(request: gr.Request) -> tuple[object, ...]:
    """Fill the page in the visitor's language, and with what was trained in this visit."""
    language, runs = language_of(request), visit_runs.runs_of(visitor_of(request))
    lines, tried = on_sample(sample := tuning_panel.FIRST[language])
    encoder = gr.Dropdown(choices=on_picker(request), value=encoder_for(language_of_lines(lines)))
    curves = DRAWING.curves(runs, None, request) if runs else gr.skip()
    return sample, lines, encoder, tried, curves, DRAWING.table(runs, request), DRAWING.own(request), runs


def on_picker(request: gr.Request) -> list[tuple[str, str]]:
    """What the picker offers: what is on this machine by now."""
    return start_choices(language_of(request), starting_points())


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    form: Form = tuning_form(SLUG, tuning_panel.SETS, RATE_OF, methods_by_name, list(ENCODINGS))
    name_fields(page, SLUG, form.named)
    keep_labels(form.model, on_picker)
    runs = gr.State([])
    with form.answer:
        status, plotted = gr.HTML(elem_id="fine_tune-status"), plots("fine_tune-curves", 2)
        outcome = gr.HTML(elem_id="fine_tune-outcome")
    gr.Markdown(mark(SLUG, "runs_title"))
    table, beside = gr.HTML(elem_id="fine_tune-runs"), gr.Column()
    made = trained_panel(SLUG)
    gr.Markdown(mark(SLUG, "take_home_title"))
    pack = take_home_panel(made.own, runs, take_home)

    watched = [status, *plotted, outcome, table, made.own, runs]
    hidden = {"show_progress": "hidden", **PRIVATE}
    form.start.click(on_start, [*form.fields, runs], watched, **AT_ONCE, **hidden, **TRAINING)
    from_scratch = form.scratch.click(lambda: True, None, form.from_scratch, **PRIVATE)
    compared = from_scratch.then(on_start, [*form.fields, runs], watched, **hidden, **TRAINING)
    compared.then(lambda: False, None, form.from_scratch, **PRIVATE)
    form.stop.click(on_stop, None, None, **QUICK)
    form.sample.input(on_sample, form.sample, [form.lines, made.lines], **PRIVATE)
    wire_advice(SLUG, form.advice, form.rows, advise)
    race_panel(page, form, race_page, race_view)
    rows = [form.lines, form.panel.file, form.model]  # `change`, as Gradio sends `input` for keys alone, not for pastes
    form.lines.change(tuning_panel.encoder_for_box, rows, form.model, trigger_mode="always_last", **QUICK)
    follow_file(form.panel, on_file, [form.lines, form.model], [form.model])
    filled = [form.sample, form.lines, form.model, made.lines, plotted[0], table, made.own, runs]
    kept = [form.sample, *form.fields, made.lines]
    own = Own(made.own, open_filled(page, SLUG, on_open, filled, kept))
    own.opened.then(on_return, runs, watched, **hidden)
    own.wait([made.ask, made.draw, *made.naming.waiting, pack])
    wire_naming(SLUG, made.naming, own, watched[1:], naming, on_redraw)
    with beside:
        compare_panel(SLUG, own, comparing, draw_comparison)
    Asking(on_try, [made.lines, made.own], [made.answer], [made.answer], also=[runs], places=LONG).on(made.ask.click)
    Asking(on_map, [made.own], made.maps, made.maps, also=[runs], places=LONG).on(made.draw.click)

    endpoint(page, fine_tune, api_name=SLUG, places=TRAINING, later=["kind", "class_weight"])


TAB = Tab(slug=SLUG, group="labels", order=13, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
