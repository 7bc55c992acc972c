"""Draws a word's neighbours and the answers to an analogy as bars, and one word's occurrences as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.results.about import About
from app.results.word_vectors import AnalogyResult, Neighbour, OneVector, WordVectorsResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, bar, bars, card, details, section, table, tag
from app.views.neighbourhood import in_sentence
from app.views.notes import draw_note

Labels = Mapping[str, str]
SHOWN_NUMBERS = 12  # of a vector


def draw_neighbours(result: WordVectorsResult, about: About, labels: Labels, note: str = "") -> Markup:
    """The nearest words and the vector itself, with a remark if there is one."""
    title = labels["neighbours_of"].format(word=result.word)
    counted = labels["listed_as"].format(word=result.word, rank=f"{result.rank:,}", words=f"{result.words:,}")
    numbers = ", ".join(f"{number:.2f}" for number in result.vector[:SHOWN_NUMBERS])
    inside = labels["numbers"].format(word=result.word, dimensions=result.dimensions)
    saved = draw_downloads(
        f"neighbours-{result.model}",
        ("word", "cosine"),
        [(near.word, near.cosine) for near in result.neighbours],
        model=result.model,
        revision=result.revision,
        word=result.word,
        vector=[float(f"{number:.6g}") for number in result.vector],
    )
    return draw_card(
        about,
        section(title, _bars(title, result.neighbours)),
        details(inside, tag("p", tag("code", f"{numbers}, …")), tag("p", counted)),
        saved,
        model=result.model,
        note=note,
    )


def draw_analogy(result: AnalogyResult, about: About, labels: Labels, note: str = "") -> Markup:
    """The question, its answers, and the first answer if the question's own words were not excluded."""
    asked = {"first": result.first, "second": result.second, "third": result.third}
    title, sum_of = labels["analogy_asked"].format(**asked), labels["analogy_sum"].format(**asked)
    best = result.nearest_of_all
    key = "left_out" if best.word in asked.values() else "left_out_same"
    told = labels[key].format(**asked, word=best.word, cosine=f"{best.cosine:.2f}")
    saved = draw_downloads(
        f"analogy-{result.model}",
        ("word", "cosine"),
        [(near.word, near.cosine) for near in result.answers],
        model=result.model,
        revision=result.revision,
        **asked,
    )
    answers = section(title, tag("p", tag("code", sum_of)), _bars(title, result.answers))
    return draw_card(about, answers, draw_note(told), saved, model=result.model, note=note)


def _bars(title: str, near: Sequence[Neighbour]) -> Markup:
    return bars(title, (bar(one.word, max(0.0, one.cosine), f"{one.cosine:.2f}") for one in near))


def draw_one_vector(result: OneVector, link: str, labels: Labels) -> Markup:
    """Each occurrence's cosine to the first one, by both models; `link` leads to the word senses."""
    places = list(zip(result.senses, result.sentences, result.static[0], result.contextual[0], strict=True))
    rows = (
        (in_sentence(sentence, *span, sense or ""), f"{fixed:.2f}", f"{read:.2f}")
        for (sense, sentence, fixed, read), span in zip(places, result.spans, strict=True)
    )
    told = labels["one_vector_told"].format(word=result.word, static=result.static_model, model=result.model)
    saved = draw_downloads(
        f"one-vector-{result.model}",
        ("place", "sense", "sentence", f"cosine to place 1, {result.static_model}", f"... {result.model}"),
        [(number, *place) for number, place in enumerate(places, start=1)],
        model=result.model,
        static_model=result.static_model,
        word=result.word,
    )
    shown = table((labels["sentence"], labels["fixed"], result.model), rows)
    further = tag("p", tag("a", labels["to_senses"], href=link))
    return card(tag("p", told), shown, further, saved, model=result.model)
