"""Word senses: a word's occurrences as points, layer by layer. `python -m demos.word_sense` runs it alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import Any

import gradio as gr

from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import for_task, linked, readers
from app.results.word_sense import SensePanel
from app.tasks import downloads
from app.tasks.attention import page as attention_answers
from app.tasks.word_sense.occurrence_vectors import word_sense
from app.tasks.word_sense.page import MIX, open_panel, warm_projections
from app.tasks.word_sense.question import Question
from app.ui.asking import Asking
from app.ui.components.download_panel import download_panel, of_task, or_none
from app.ui.components.sense_controls import sense_controls
from app.ui.components.sense_place import filled, folded, lowers, outputs, uppers
from app.ui.events import LONG, PRIVATE, endpoint, friendly, sentence
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.look_inside import look_inside
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, example_note, examples, language_of, mark, say, texts
from app.ui.unknown import unknown_note
from app.ui.widgets import draw_examples, example_list, sides
from app.views.neighbourhood import draw_neighbourhood
from app.views.notes import draw_note
from app.views.sense_place import draw_place
from app.views.word_sense import Shown

SLUG = "word_sense"
PLACES = (f"{SLUG}-view", f"{SLUG}-other-view")
# What the second picker offers.
on_other = or_none(of_task(downloads, SLUG), SLUG)


@friendly
def on_run(
    lines: str, word: str, model: str, other: str, inflected: bool, method: str, dimensions: int, colour: str,
    request: gr.Request,
) -> list[Any]:  # fmt: skip
    """Look at the word with one model, or with two side by side; the first does without a second that fails."""
    language, failed = language_of(request), ""
    hard = example_note(language, SLUG, word=word)
    panels = [open_panel(lines, word, model or "", inflected, method, dimensions)]
    try:
        panels += [open_panel(lines, word, other, inflected, method, dimensions)] if other else []
    except PlaygroundError as error:
        failed = say(language, SLUG, "other_failed", model=other, reason=sentence(error, language))
    notes = draw_note(hard, failed, *(_unknown(panel, language) for panel in panels))
    question = Question(lines, word, tuple(panel.model for panel in panels), bool(inflected))
    mixes = any(panel.family == "elmo" for panel in panels)
    return [*_drawn(panels, colour, language), "", notes, question, gr.Row(visible=True), gr.Row(visible=mixes)]


def _unknown(panel: SensePanel, language: str) -> str:
    """What the model does not know: the word itself, or others. Static vectors just leave out what they do not have."""
    if panel.family == "static_vectors":
        return ""
    unknown = {(part.sentence, at) for part in panel.unknown for at in range(part.start, part.end)}
    if any((one.sentence, one.start) in unknown for one in panel.occurrences):
        return say(language, "models", "unknown_word", model=panel.model)
    return unknown_note(language, panel.model, panel.unknown, *panel.sentences)


@friendly
def on_look(question: Question, method: str, dimensions: int, colour: str, request: gr.Request) -> list[Any]:
    """The same by another method, in another space, in other colours."""
    return _drawn(question.panels(method, dimensions), colour, language_of(request), stays=True)


@friendly
def on_mix(
    question: Question, method: str, dimensions: int, colour: str, first: float, second: float, third: float,
    request: gr.Request,
) -> list[Any]:  # fmt: skip
    """The layers of ELMo mixed by these weights, as a layer that is shown."""
    mixed = replace(question, weights=[first, second, third])
    return [*_drawn(mixed.panels(method, dimensions), colour, language_of(request), stays=True, start=MIX), mixed]


def _drawn(panels: list[SensePanel], colour: str, language: str, **opening: Any) -> list[Any]:
    """What the outputs of both places get."""
    places = []
    for number, (panel, elem_id) in enumerate(zip_longest(panels, PLACES)):
        shown = Shown(texts(SLUG)[language], elem_id, colour == "cluster", **opening)
        places.append(panel and draw_place(panel, shown, about(language, panel.model), folded=number > 0))
    return filled(places, language)


@friendly
def on_near(question: Question, request: gr.Request, event: gr.EventData) -> str:
    """The nearest words to an occurrence."""
    near = question.near(event.model, event.occurrence, event.layer)
    return draw_neighbourhood(near, texts(SLUG)[language_of(request)])


@friendly
def on_example(model: str, other: str, request: gr.Request, event: gr.EventData) -> tuple[str, str, str, str]:
    """Put a curated set into the page, with models that know its language; of the second, perhaps none."""
    chosen = examples(language_of(request), SLUG)[event.at]
    word = chosen["word"]
    first = readers([model], word, SLUG)[0]
    beside = other if other and other != first and other in readers([other], word, SLUG) else ""
    return "\n".join(chosen["lines"]), word, first, beside


@friendly
def on_open(request: gr.Request) -> tuple[str, str, gr.Dropdown, gr.Dropdown, bool, str]:
    """Fill the page in the visitor's language, or from a copied link (`lines`, `word`, `model`, `other`, `forms`)."""
    language, given = language_of(request), linked_fields(request, SLUG)
    samples, serving = examples(language, SLUG), for_task(SLUG)
    ready, choices = downloads.ready_models(SLUG), on_other(request)
    word = given.get("word") or samples[0]["word"]
    knowing = set(readers([checkpoint.name for checkpoint in serving if checkpoint.name in ready], word, SLUG))
    first, second = two_kinds([checkpoint for checkpoint in serving if checkpoint.name in knowing])
    known = {name for _, name in choices[1:]}
    return (
        given.get("lines") or "\n".join(samples[0]["lines"]),
        word,
        gr.Dropdown(choices=choices[1:], value=linked(given.get("model"), known, first)),
        gr.Dropdown(
            choices=choices,
            value=linked(given.get("other"), known, "" if given.get("model") else second),
        ),
        given.get("forms") == "true",
        draw_examples(language, SLUG, [sample["title"] for sample in samples]),
    )


def two_kinds(ready: list[Checkpoint]) -> tuple[str, str]:
    """What the page begins with: the best model here, and next to it ELMo or static vectors, else another kind."""
    if not ready:
        return for_task(SLUG)[0].name, ""
    first, order = ready[0], {"elmo": 0, "static_vectors": 1}
    others = [checkpoint for checkpoint in ready if checkpoint.family != first.family]
    return first.name, min(others, key=lambda other: order.get(other.family, 2)).name if others else ""


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        lines = gr.Textbox(
            label=mark(SLUG, "sentences"), info=mark(SLUG, "sentences_hint"), lines=7, max_lines=14,
            elem_id="word_sense-lines",
        )  # fmt: skip
        word = gr.Textbox(label=mark(SLUG, "word"), lines=1, max_lines=1, elem_id="word_sense-word")
        model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="word_sense-model")
        other = gr.Dropdown(label=mark(SLUG, "compare"), elem_id="word_sense-other")
        download_panel(model, downloads, SLUG)
        download_panel(other, downloads, on_other, second=True)
        inflected = gr.Checkbox(label=mark(SLUG, "inflected"), elem_id="word_sense-forms")
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="word_sense-run")
        samples = example_list(SLUG)
    with right:
        note = gr.HTML(elem_id="word_sense-note")
        upper, near = uppers(PLACES), gr.HTML(elem_id="word_sense-near")
        controls = sense_controls(SLUG)
    lower = lowers(PLACES)
    gr.Markdown(mark(SLUG, "reading"))
    closer = folded(SLUG, PLACES)
    look_inside(SLUG, attention_answers, text=lines, models=model, first_of_lines=True)
    copy_link(page, SLUG, {"lines": lines, "word": word, "model": model, "other": other, "forms": inflected})

    state, drawn = gr.State(), outputs(upper, lower, closer)
    asked, look = [lines, word, model, other, inflected], controls.look
    shown = [*drawn, near, note, state, controls.row, controls.mixer]
    answer = [*(one.column for one in (*upper, *lower)), closer.part, near, note]
    question = Asking(on_run, asked, shown, answer, also=look, places=LONG)
    question.on(run.click, word.submit)
    gr.on([one.input for one in look], on_look, [state, *look], drawn, **PRIVATE, **LONG)
    mixing = [one.input for one in controls.weights]
    gr.on(mixing, on_mix, [state, *look, *controls.weights], [*drawn, state], trigger_mode="always_last", **PRIVATE)
    gr.on([top.sentences.select for top in upper], on_near, [state], near, **PRIVATE)
    question.after(samples.click(on_example, [model, other], [lines, word, model, other], **PRIVATE))
    open_linked(page, SLUG, on_open, [*asked, samples], FirstAnswer(question, note, {state: Question}))

    endpoint(page, word_sense, api_name="word_sense", places=LONG)


def warm() -> None:
    """Compile UMAP, so that the first visitor who asks for it does not wait."""
    warm_projections()


TAB = Tab(slug=SLUG, group="words", order=5, build=build, warm=warm)

if __name__ == "__main__":
    serve(standalone(TAB))
