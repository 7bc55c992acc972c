"""Draws a paragraph to be put in order, and how the model's order compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from math import factorial
from typing import TYPE_CHECKING

from app.results.about import About
from app.results.sentence_pair import Order, ParagraphResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.heat_map import plot_heat_map
from app.views.html import Markup, listed, table, tag, td, th, tr
from app.views.notes import draw_note

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]


def draw_order_list(sentences: Sequence[str], order: Sequence[int], labels: Labels) -> Markup:
    """Sentences to drag by their handle or move by buttons. `data-index` is the original place."""
    items = (_item(index, sentences[index], labels) for index in order)
    return tag("p", labels["order_hint"], class_="caption") + tag("ol", *items, class_="pair-order")


def _item(index: int, sentence: str, labels: Labels) -> Markup:
    handle = tag("span", "⠿", class_="handle", aria_hidden="true")
    moves = (
        tag("button", sign, type="button", data_move=step, aria_label=labels[key], title=labels[key])
        for step, key, sign in ((-1, "move_up", "↑"), (1, "move_down", "↓"))
    )
    return tag("li", handle, tag("span", sentence, class_="sentence"), *moves, data_index=index)


def draw_paragraph(result: ParagraphResult, sentences: Sequence[str], about: About, labels: Labels) -> Markup:
    """One model: three orders side by side, and the numbered sentences."""
    best = labels["order_best"].format(count=f"{factorial(len(sentences)):,}")
    names = {"written": labels["order_written"], "own": labels["order_own"], "best": best}
    rows = (_order_row(kind, name, getattr(result, kind)) for kind, name in names.items())
    return draw_card(
        about,
        table([labels[key] for key in ("whose", "order", "pairs_right", "log_probability")], rows),
        listed("ol", sentences, class_="legend-list"),
        # What a head that was not trained on order can say about it.
        draw_note(labels.get(f"order_note.{result.matrix.objective}", "")),
        _downloads(result, sentences),
        kind="paragraph",
        model=result.matrix.model,
    )


def plot_matrix(result: ParagraphResult, sentences: Sequence[str], labels: Labels) -> Figure:
    """The model's judgement of every pair, with its best order framed."""
    matrix, names = result.matrix, [f"{number}. {text}" for number, text in enumerate(sentences, start=1)]
    told = labels[f"matrix_caption.{matrix.objective}"]
    return plot_heat_map(
        names,
        [str(number) for number in range(1, len(sentences) + 1)],
        matrix.probability,
        told=f"{matrix.model}: {told}",
        name=f"order-{matrix.model}",
        scale=f"{matrix.model}: {labels[f'matrix_scale.{matrix.objective}']}",
        axes=(labels["sentence"], labels["followed_by"]),
        outlined=set(pairwise(result.best.order)),
    )


def _downloads(result: ParagraphResult, sentences: Sequence[str]) -> Markup:
    matrix = result.matrix
    rows = (
        (first + 1, second + 1, probability)
        for first, line in enumerate(matrix.probability)
        for second, probability in enumerate(line)
        if first != second
    )
    orders = {kind: asdict(order) for kind, order in (("best", result.best), ("own", result.own))}
    about = {"model": matrix.model, "revision": matrix.revision, "objective": matrix.objective}
    columns = ("sentence", "followed_by", "probability")
    return draw_downloads(f"order-{matrix.model}", columns, rows, **about, sentences=list(sentences), **orders)


def _order_row(kind: str, name: str, order: Order) -> Markup:
    total = len(order.order) * (len(order.order) - 1) // 2
    shown = td(" ".join(str(index + 1) for index in order.order), class_="places")
    return tr(th(name), shown, f"{order.pairs_right} / {total}", f"{order.log_probability:.2f}", data_order=kind)
