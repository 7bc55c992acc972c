"""Words as vectors: neighbours, a map, analogies, one vector a word. `python -m demos.word_vectors` runs it alone."""

from __future__ import annotations

from urllib.parse import urlencode

import gradio as gr

from app.registry.checkpoint import TASKS_OF_FAMILY
from app.registry.lookup import for_task, linked, readers
from app.tasks import downloads
from app.tasks.word_vectors.analogy import analogy
from app.tasks.word_vectors.neighbours import word_vectors
from app.tasks.word_vectors.one_vector import one_vector
from app.tasks.word_vectors.word_map import word_map
from app.ui.asking import Asking
from app.ui.components.download_panel import download_panel, keep_labels
from app.ui.components.plots import plots, shown
from app.ui.events import PRIVATE, friendly
from app.ui.first_answers import FirstAnswer
from app.ui.links import copy_link, linked_fields, open_linked
from app.ui.shell import serve, standalone
from app.ui.tab import Tab
from app.ui.texts import about, example_note, examples, language_of, mark, say, texts
from app.ui.widgets import draw_examples, example_list, model_choices, sides
from app.views.word_map import plot_word_map
from app.views.word_vectors import draw_analogy, draw_neighbours, draw_one_vector

SLUG = "word_vectors"
Shown = tuple[object, ...]

# The further questions of the page, whose fields are filled when it opens.
ASK_WHEN_SEEN = """() => {
  playground.pressSeen("word_vectors-ask", "word_vectors-analogy");
  playground.pressSeen("word_vectors-compare", "word_vectors-places");
}"""


@friendly
def on_run(word: str, model: str, request: gr.Request) -> Shown:
    """The word's neighbours, and its place on the map."""
    language = language_of(request)
    labels, result = texts(SLUG)[language], word_vectors(word, model)
    note = example_note(language, SLUG, word=word)
    groups = {group["name"]: group["words"] for group in labels[f"map.{_spoken(model)}"]}
    near = [one.word for one in result.neighbours]
    drawn = draw_neighbours(result, about(language, result.model), labels, note)
    return drawn, *shown([plot_word_map(word_map(groups, word, model), labels, near)], 1, language)


def _spoken(model: str) -> str:
    """The language of static vectors."""
    return next((one.language for one in for_task(SLUG) if one.name == model), "en")


@friendly
def on_analogy(first: str, second: str, third: str, model: str, request: gr.Request) -> str:
    """The fourth word."""
    language = language_of(request)
    result = analogy(first, second, third, model)
    note = _note_on(language, first=first, second=second, third=third)
    return draw_analogy(result, about(language, result.model), texts(SLUG)[language], note)


def _note_on(language: str, **asked: str) -> str:
    """What an analogy among the examples teaches, where that is to be said."""
    for one in texts(SLUG)[language]["analogies"]:
        if "note" in one and all(one[key] == value for key, value in asked.items()):
            return say(language, SLUG, one["note"])
    return ""


@friendly
def on_one_vector(lines: str, word: str, static: str, model: str, request: gr.Request) -> str:
    """The word's places in sentences, as both kinds of models see them."""
    language = language_of(request)
    result = one_vector(lines, word, static, model)
    fields = {"tab": "word_sense", "lines": lines, "word": word, "model": result.model, "other": result.static_model}
    link = f"?{urlencode({**fields, 'lang': language, 'run': '1'})}"
    return draw_one_vector(result, link, texts(SLUG)[language])


def on_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str]:
    """Put a word into the page, and vectors that have its language."""
    word = examples(language_of(request), SLUG)[event.at]["word"]
    return word, readers([model], word, SLUG)[0]


def on_analogy_example(model: str, request: gr.Request, event: gr.EventData) -> tuple[str, str, str, str]:
    """Put an analogy into the page."""
    one = texts(SLUG)[language_of(request)]["analogies"][event.at]
    return one["first"], one["second"], one["third"], readers([model], one["first"], SLUG)[0]


@friendly
def on_open(request: gr.Request) -> Shown:
    """Fill the page in the visitor's language, or from a copied link (`word`, `first`, `second`, `third`, `model`)."""
    language, given = language_of(request), linked_fields(request, SLUG)
    labels, samples = texts(SLUG)[language], examples(language, SLUG)
    word, asked, placed = given.get("word") or samples[0]["word"], labels["analogies"][0], labels["places"]
    choices = vectors_here(request)
    names = [name for _, name in choices]
    reading = reading_here(request)
    return (
        word,
        gr.Dropdown(choices=choices, value=linked(given.get("model"), names, readers(names, word, SLUG)[0])),
        *(given.get(key) or asked[key] for key in ("first", "second", "third")),
        draw_examples(language, SLUG, [one["word"] for one in samples]),
        draw_examples(language, SLUG, [analogy_name(one) for one in labels["analogies"]], "analogies"),
        "\n".join(placed["lines"]),
        placed["word"],
        gr.Dropdown(choices=reading, value=readers([name for _, name in reading], placed["word"], "word_sense")[0]),
    )


def analogy_name(one: dict[str, str]) -> str:
    """An analogy on its button."""
    return f"{one['first']} : {one['second']} = {one['third']} : ?"


def vectors_here(request: gr.Request) -> list[tuple[str, str]]:
    """What the picker of vectors offers."""
    return model_choices(language_of(request), for_task(SLUG), downloads.ready_models(SLUG))


def reading_here(request: gr.Request) -> list[tuple[str, str]]:
    """The models that give a word another vector in each sentence, those on this machine first."""
    ready = downloads.ready_models("word_sense")
    reading = [one for one in for_task("word_sense") if SLUG not in TASKS_OF_FAMILY.get(one.family, ())]
    ranked = sorted(reading, key=lambda one: one.name not in ready)
    return model_choices(language_of(request), ranked, ready)


def build(page: gr.Blocks) -> None:
    """Draw the tab and wire its events."""
    gr.Markdown(mark(SLUG, "intro"))
    left, right = sides()
    with left:
        word = gr.Textbox(label=mark(SLUG, "word"), lines=1, max_lines=1, elem_id="word_vectors-word")
        model = gr.Dropdown(label=mark(SLUG, "model"), elem_id="word_vectors-model")
        keep_labels(model, vectors_here)
        run = gr.Button(mark(SLUG, "run"), variant="primary", elem_id="word_vectors-run")
        samples = example_list(SLUG)
    with right:
        answer = gr.HTML(elem_id="word_vectors-answer")
    place = plots("word_vectors-map")
    question = Asking(on_run, [word, model], [answer, *place], [answer, *place])
    question.on(run.click, word.submit)
    question.after(samples.click(on_example, [model], [word, model], **PRIVATE))
    three, prepared = _build_analogy(model)
    lines, occurring, reading = _build_one_vector(model)
    fields = dict(zip(("first", "second", "third"), three, strict=True))
    copy_link(page, SLUG, {"word": word, "model": model, **fields})
    filled = [word, model, *three, samples, prepared, lines, occurring, reading]
    opened = open_linked(page, SLUG, on_open, filled, FirstAnswer(question, answer))
    opened.then(None, None, None, js=ASK_WHEN_SEEN, **PRIVATE)


def _build_analogy(model: gr.Dropdown) -> tuple[list[gr.Textbox], gr.HTML]:
    gr.Markdown(mark(SLUG, "analogy_title"))
    left, right = sides()
    with left:
        three = [
            gr.Textbox(label=mark(SLUG, key), lines=1, max_lines=1, elem_id=f"word_vectors-{key}")
            for key in ("first", "second", "third")
        ]
        ask = gr.Button(mark(SLUG, "ask"), variant="primary", elem_id="word_vectors-ask")
        prepared = example_list(SLUG, "analogies")
    with right:
        answer = gr.HTML(elem_id="word_vectors-analogy")
    question = Asking(on_analogy, [*three, model], [answer], [answer])
    question.on(ask.click, *(one.submit for one in three))
    question.after(prepared.click(on_analogy_example, [model], [*three, model], **PRIVATE))
    return three, prepared


def _build_one_vector(static: gr.Dropdown) -> tuple[gr.Textbox, gr.Textbox, gr.Dropdown]:
    gr.Markdown(mark(SLUG, "one_vector_title"))
    left, right = sides()
    with left:
        lines = gr.Textbox(label=mark(SLUG, "lines"), lines=5, max_lines=10, elem_id="word_vectors-lines")
        word = gr.Textbox(label=mark(SLUG, "occurring"), lines=1, max_lines=1, elem_id="word_vectors-occurring")
        model = gr.Dropdown(label=mark(SLUG, "reading"), elem_id="word_vectors-reading")
        download_panel(model, downloads, reading_here)
        compare = gr.Button(mark(SLUG, "compare"), variant="primary", elem_id="word_vectors-compare")
    with right:
        answer = gr.HTML(elem_id="word_vectors-places")
    Asking(on_one_vector, [lines, word, static, model], [answer], [answer]).on(compare.click, word.submit)
    return lines, word, model


TAB = Tab(slug=SLUG, group="words", order=4, build=build)

if __name__ == "__main__":
    serve(standalone(TAB))
