"""Draws the experiment on topic and order, and the published figures beside ours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app.results.sentence_pair import PairAccuracy, TopicTrapResult
from app.views.downloads import draw_downloads
from app.views.heat_map import plot_heat_map
from app.views.html import Markup, card, table, tag, th

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]
COLUMNS = ("trained_on", "asked.nsp", "asked.sop", "asked.opening")
ROWS = ("trap_next", "trap_swapped", "trap_other")


def plot_topic_trap(results: Sequence[TopicTrapResult], labels: Labels) -> Figure:
    """The three pairs as rows, the models as columns."""
    return plot_heat_map(
        [labels[key] for key in ROWS],
        [f"{result.model} ({labels[f'short.{result.objective}']})" for result in results],
        [[result.probability[row] for result in results] for row in range(len(ROWS))],
        told=f"{labels['trap_caption']} · {labels['trap_lesson']}",
        name="topic_trap",
        scale=labels["trap_caption"],
        axes=("", labels["trained_on"]),
    )


def draw_accuracies(published: Sequence[PairAccuracy], measured: Sequence[PairAccuracy], labels: Labels) -> Markup:
    """Accuracy on both questions by training objective: the paper's, and ours where measured."""
    rows = [_row(entry, "by_paper", labels) for entry in published]
    rows += [_row(entry, "by_us", labels) for entry in measured]
    return card(
        tag("h4", labels["table_title"]),
        table([labels[key] for key in COLUMNS], rows),
        tag("p", labels["table_source"], class_="trust"),
        _saved_accuracies(published, measured),
    )


def _saved_accuracies(published: Sequence[PairAccuracy], measured: Sequence[PairAccuracy]) -> Markup:
    rows = [
        (entry.model, entry.objective, source, entry.nsp, entry.sop, entry.opening)
        for source, entries in (("paper", published), ("measured", measured))
        for entry in entries
    ]
    return draw_downloads("pair_accuracies", ("model", "trained_on", "source", "nsp", "sop", "opening"), rows)


def _row(entry: PairAccuracy, source: str, labels: Labels) -> tuple[Markup | str, ...]:
    name = labels[source].format(model=entry.model, objective=labels[f"short.{entry.objective}"])
    return th(name), *(_percent(share) for share in (entry.nsp, entry.sop, entry.opening))


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share * 100:.1f}%"
