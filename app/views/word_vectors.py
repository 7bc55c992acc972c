"""Draws a word's neighbours and the answers to an analogy as bars, and one word's places in sentences as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.results.about import About
from app.results.word_vectors import AnalogyResult, Neighbour, OneVector, WordVectorsResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.neighbourhood import in_sentence
from app.views.notes import draw_note

Labels = Mapping[str, str]
SHOWN_NUMBERS = 12  # of a vector


def draw_neighbours(result: WordVectorsResult, about: About, labels: Labels, note: str = "") -> str:
    """The nearest words, and the vector itself; with a remark, if there is one."""
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
    return (
        f"<article class='answer' data-model='{escape(result.model)}'>{draw_heading(about)}{draw_note(note)}"
        f"<section><h4>{escape(title)}</h4>{_bars(title, result.neighbours)}</section>"
        f"<details><summary>{escape(inside)}</summary><p><code>{numbers}, …</code></p><p>{escape(counted)}</p>"
        f"</details>{saved}</article>"
    )


def draw_analogy(result: AnalogyResult, about: About, labels: Labels, note: str = "") -> str:
    """The question, its answers, and what would have come first had the question's own words not been left out."""
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
    return (
        f"<article class='answer' data-model='{escape(result.model)}'>{draw_heading(about)}{draw_note(note)}"
        f"<section><h4>{escape(title)}</h4><p><code>{escape(sum_of)}</code></p>{_bars(title, result.answers)}</section>"
        f"<p class='note'>{escape(told)}</p>{saved}</article>"
    )


def _bars(title: str, near: Sequence[Neighbour]) -> str:
    rows = "".join(
        f"<li><span class='word'>{escape(one.word)}</span>"
        f"<span class='track'><span class='fill' style='width:{max(0.0, one.cosine) * 100:.2f}%'></span></span>"
        f"<span class='value'>{one.cosine:.2f}</span></li>"
        for one in near
    )
    return f"<ol class='bars' aria-label='{escape(title)}'>{rows}</ol>"


def draw_one_vector(result: OneVector, link: str, labels: Labels) -> str:
    """Each place of the word with its cosine to the first one, by both models; `link` leads to the word senses."""
    titles = [*(labels[key] for key in ("sentence", "fixed")), result.model]
    head = "".join(f"<th scope='col'>{escape(title)}</th>" for title in titles)
    places = zip(result.sentences, result.spans, result.senses, result.static[0], result.contextual[0], strict=True)
    rows = [
        (number, sense, in_sentence(sentence, *span), fixed, read)
        for number, (sentence, span, sense, fixed, read) in enumerate(places, start=1)
    ]
    body = "".join(
        f"<tr><td>{f'<i>{escape(sense)}</i> ' if sense else ''}{said}</td><td>{fixed:.2f}</td><td>{read:.2f}</td></tr>"
        for _, sense, said, fixed, read in rows
    )
    told = labels["one_vector_told"].format(word=result.word, static=result.static_model, model=result.model)
    columns = ("place", "sense", "sentence", f"cosine to place 1, {result.static_model}", f"... {result.model}")
    saved = draw_downloads(
        f"one-vector-{result.model}",
        columns,
        [
            (number, sense, sentence, fixed, read)
            for (number, sense, _, fixed, read), sentence in zip(rows, result.sentences, strict=True)
        ],
        model=result.model,
        static_model=result.static_model,
        word=result.word,
    )
    return (
        f"<article class='answer' data-model='{escape(result.model)}'><p>{escape(told)}</p>"
        f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        f"<p><a href='{escape(link)}'>{escape(labels['to_senses'])}</a></p>{saved}</article>"
    )
