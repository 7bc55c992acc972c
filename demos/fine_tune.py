"""Fine-tuning: train a small encoder on your own labelled sentences. `python -m demos.fine_tune` runs it alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gradio as gr

from app.registry.checkpoint import TOKEN_CLASSIFICATION
from app.tasks.classification.classify import classify
from app.tasks.classification.page import gather, own_models
from app.tasks.files.encoding import ENCODINGS
from app.tasks.files.look import look_at_file
from app.tasks.fine_tune import page as tuning_panel
from app.tasks.fine_tune import race_page, take_home
from app.tasks.fine_tune import runs as visit_runs
from app.tasks.fine_tune.page import check_chosen, encoder_for, gather_rows, language_of_lines, read_sample, to_try
from app.tasks.fine_tune.rows import RATE_OF, Options
from app.tasks.fine_tune.starting import methods_by_name, starting_points
from app.tasks.fine_tune.tune import TunedRun, Tuning, fine_tune
from app.tasks.tagging.tag import tag_lines
from app.ui.asking import Asking
from app.ui.components.classifier_models import about_classifier
from app.ui.components.download_panel import keep_labels
from app.ui.components.file_panel import follow_file, show_file
from app.ui.components.plots import plots, shown
from app.ui.components.tuning.race_panel import race_panel
from app.ui.components.tuning.start_picker import start_choices
from app.ui.components.tuning.take_home import take_home_panel
from app.ui.components.tuning.trained_panel import trained_panel, wait_for_model
from app.ui.components.tuning.tuning_form import Form, tuning_form, typed_rate
from app.ui.events import LONG, PRIVATE, QUICK, TRAINING, endpoint, friendly, friendly_stream, visitor_of
from app.ui.links import name_fields, open_filled
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import language_of, mark, texts
from app.ui.unknown import unknown_in_many
from app.views import race as race_view
from app.views.classification import draw_table
from app.views.curves import plot_runs
from app.views.fine_tune import draw_outcome, hint, plot_confusion, status
from app.views.label_map import plot_label_map
from app.views.notes import draw_note
from app.views.runs import draw_runs
from app.views.tagging import draw_many_tagged

SLUG = "fine_tune"


@friendly_stream
def on_start(
    lines: str, path: str | None, encoding: str, names: bool | None, text_column: str, pair_column: str,
    label_column: str, model: str, method: str, epochs: int, rate: str, batch: int, seed: int, share: float,
    augment: bool, scratch: bool, runs: list[TunedRun], request: gr.Request,
) -> Iterator[tuple[Any, ...]]:  # fmt: skip
    """Train, and show the curves as they grow; the finished run joins the table."""
    options = Options(epochs, typed_rate(rate), seed, share, batch, method, augment, scratch, cut=True)
    rows = gather_rows(lines, path, encoding, names, text_column, pair_column, label_column)
    yield from _show(visit_runs.start_tuning(rows, model, options, visitor_of(request)), runs, request)


@friendly_stream
def on_return(runs: list[TunedRun], request: gr.Request) -> Iterator[tuple[Any, ...]]:
    """Show a training that was begun before the page was opened."""
    yield from _show(visit_runs.watch_tuning(visitor_of(request)), runs, request)


def _show(states: Iterable[Tuning | TunedRun], runs: list[TunedRun], request: gr.Request) -> Iterator[tuple[Any, ...]]:
    labels = texts(SLUG)[language_of(request)]
    run = drawn = None
    for state in states:
        if isinstance(state, TunedRun):
            run = state
            continue
        before, drawn = drawn, len(state.history) + len(state.validations)
        curves = _curves(runs, state, request) if drawn != (before or 0) else gr.skip()
        yield draw_note(status(state.ahead, state.report, labels)), curves, *[gr.skip()] * 4, runs
    if run is None:
        ended = [gr.skip()] * 2 if drawn is None else [draw_note(labels["nothing"]), _curves(runs, None, request)]
        yield *ended, *[gr.skip()] * 4, runs  # even where nothing runs: a stream without a word empties its outputs
        return
    runs = [*runs, run]
    plotted = _curves(runs, None, request), *shown([plot_confusion(run.result, labels)], 1, language_of(request))
    outcome = draw_outcome(run.result, run.judged, labels, run.tagged)
    yield draw_note(labels[hint(run.result)]), *plotted, outcome, draw_runs(runs, labels), _own(request), runs


def _curves(runs: list[TunedRun], tuning: Tuning | None, request: gr.Request) -> gr.Plot:
    going = (tuning.history, tuning.validations, tuning.report.steps) if tuning and tuning.report else None
    figure = plot_runs([run.result for run in runs], going, texts(SLUG)[language_of(request)])
    return shown([figure], 1, language_of(request))[0]


def _own(request: gr.Request) -> gr.Dropdown:
    own = own_models(visitor_of(request), head="")
    return gr.Dropdown(choices=[*own], value=next(reversed(own), None))


def on_stop(request: gr.Request) -> None:
    """End the training; the best so far is kept."""
    visit_runs.stop_tuning(visitor_of(request))


@friendly
def on_try(lines: str, name: str, runs: list[TunedRun], request: gr.Request) -> str:
    """Ask the visitor's model."""
    language, visitor, chosen = language_of(request), visitor_of(request), check_chosen(name)
    about = about_classifier(language, chosen, own_models(visitor, head=""))
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
    before = (_curves(runs, None, request), draw_runs(runs, texts(SLUG)[language])) if runs else (gr.skip(), "")
    return sample, lines, encoder, tried, *before, _own(request), runs


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
    table, made = gr.HTML(elem_id="fine_tune-runs"), trained_panel(SLUG)
    gr.Markdown(mark(SLUG, "take_home_title"))
    pack = take_home_panel(made.own, runs, take_home)

    watched = [status, *plotted, outcome, table, made.own, runs]
    hidden = {"show_progress": "hidden", **PRIVATE}
    form.start.click(on_start, [*form.fields, runs], watched, **hidden, **TRAINING)
    from_scratch = form.scratch.click(lambda: True, None, form.from_scratch, **PRIVATE)
    compared = from_scratch.then(on_start, [*form.fields, runs], watched, **hidden, **TRAINING)
    compared.then(lambda: False, None, form.from_scratch, **PRIVATE)
    form.stop.click(on_stop, None, None, **QUICK)
    form.sample.input(on_sample, form.sample, [form.lines, made.lines], **PRIVATE)
    race_panel(page, form, race_page, race_view)
    rows = [form.lines, form.panel.file, form.model]  # `change`, as Gradio sends `input` for keys alone, not for pastes
    form.lines.change(tuning_panel.encoder_for_box, rows, form.model, trigger_mode="always_last", **QUICK)
    follow_file(form.panel, on_file, [form.lines, form.model], [form.model])
    wait_for_model(made.own, [made.ask, made.draw, pack])
    Asking(on_try, [made.lines, made.own], [made.answer], [made.answer], also=[runs], places=LONG).on(made.ask.click)
    Asking(on_map, [made.own], made.maps, made.maps, also=[runs], places=LONG).on(made.draw.click)
    filled = [form.sample, form.lines, form.model, made.lines, plotted[0], table, made.own, runs]
    kept = [form.sample, *form.fields, made.lines]
    open_filled(page, SLUG, on_open, filled, kept).then(on_return, runs, watched, **hidden)

    endpoint(page, fine_tune, api_name=SLUG, places=TRAINING, later=["kind"])


TAB = Tab(slug=SLUG, group="labels", order=13, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
