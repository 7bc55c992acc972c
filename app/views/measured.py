"""Draws measured scores of the checkpoints, and the tensor shapes of a pass, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from app.results.models import MeasuredScore, Shape
from app.views.downloads import draw_downloads
from app.views.html import Markup, card, join, table, tag, th, tr

Labels = Mapping[str, str]
# Numbers that are not shares: perplexities and a difference of cosines.
PLAIN = {"perplexity": ".1f", "two_way": ".1f", "word_sense": ".3f", "similarity": ".3f"}


def draw_scores(scores: Sequence[MeasuredScore], labels: Labels) -> Markup:
    """A table per measure: its explanation, then the models."""
    tables = (_table(measure, list(group), labels) for measure, group in groupby(scores, lambda one: one.measure))
    rows = ((one.measure, one.model, one.value, one.beside) for one in scores)
    saved = draw_downloads("scores", ("measure", "model", "value", "counting"), rows)
    return card(*tables, saved, kind="measured")


def _table(measure: str, scores: Sequence[MeasuredScore], labels: Labels) -> Markup:
    columns = ("value", "beside") if any(one.beside is not None for one in scores) else ("value",)
    names = {"value": labels["value"], "beside": labels["counting"]}
    rows = ((th(one.model), *(_number(measure, getattr(one, column)) for column in columns)) for one in scores)
    head = (labels["checkpoint"], *(names[column] for column in columns))
    return join(tag("h4", labels[f"measure.{measure}"]), table(head, rows, data_measure=measure))


def _number(measure: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:{PLAIN[measure]}}" if measure in PLAIN else f"{100 * value:.1f}%"


def draw_shapes(shapes: Sequence[Shape], model: str, labels: Labels) -> Markup:
    """Each step's name and the sizes of its tensors."""
    rows = (tr(th(labels[f"step.{one.step}"]), _sizes(one), data_step=one.step) for one in shapes)
    return card(tag("h3", model), table((labels["step"], labels["shape"]), rows), model=model)


def _sizes(shape: Shape) -> Markup:
    return tag("code", f"[{', '.join(str(size) for size in shape.sizes)}]")
