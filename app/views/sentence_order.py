"""Draws a paragraph to be put in order, and how the model's order compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from html import escape
from itertools import pairwise
from math import factorial
from typing import TYPE_CHECKING

from app.results.about import About
from app.results.sentence_pair import Order, ParagraphResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.heat_map import plot_heat_map

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]


def draw_order_list(sentences: Sequence[str], order: Sequence[int], labels: Labels) -> str:
    """Sentences to be dragged by their handle, or moved by buttons. `data-index` is the place as written."""
    items = "".join(_item(index, sentences[index], labels) for index in order)
    return f"<p class='caption'>{escape(labels['order_hint'])}</p><ol class='pair-order'>{items}</ol>"


def _item(index: int, sentence: str, labels: Labels) -> str:
    moves = "".join(
        f"<button type='button' data-move='{step}' aria-label='{escape(labels[key])}' title='{escape(labels[key])}'>"
        f"{sign}</button>"
        for step, key, sign in (("-1", "move_up", "↑"), ("1", "move_down", "↓"))
    )
    return (
        f"<li data-index='{index}'><span class='handle' aria-hidden='true'>⠿</span>"
        f"<span class='sentence'>{escape(sentence)}</span>{moves}</li>"
    )


def draw_paragraph(result: ParagraphResult, sentences: Sequence[str], about: About, labels: Labels) -> str:
    """One model: three orders beside each other, and the sentences with the numbers that stand for them."""
    legend = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    best = labels["order_best"].format(count=f"{factorial(len(sentences)):,}")
    orders = (("written", result.written), ("own", result.own), ("best", result.best))
    rows = "".join(
        _order_row(kind, best if kind == "best" else labels[f"order_{kind}"], order) for kind, order in orders
    )
    head = "".join(f"<th>{escape(labels[key])}</th>" for key in ("whose", "order", "pairs_right", "log_probability"))
    return (
        f"<article class='answer paragraph' data-model='{escape(result.matrix.model)}'>"
        f"{draw_heading(about)}"
        f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<ol class='legend-list'>{legend}</ol>{_note(result.matrix.objective, labels)}"
        f"{_downloads(result, sentences)}</article>"
    )


def plot_matrix(result: ParagraphResult, sentences: Sequence[str], labels: Labels) -> Figure:
    """What the model thinks of every pair, its best order framed."""
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


def _downloads(result: ParagraphResult, sentences: Sequence[str]) -> str:
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


def _note(objective: str, labels: Labels) -> str:
    """What a head that was not trained on order can say about it."""
    note = labels.get(f"order_note.{objective}", "")
    return f"<p class='note'>{escape(note)}</p>" if note else ""


def _order_row(kind: str, name: str, order: Order) -> str:
    total = len(order.order) * (len(order.order) - 1) // 2
    shown = " ".join(str(index + 1) for index in order.order)
    return (
        f"<tr data-order='{kind}'><th scope='row'>{escape(name)}</th><td class='places'>{shown}</td>"
        f"<td>{order.pairs_right} / {total}</td><td>{order.log_probability:.2f}</td></tr>"
    )
