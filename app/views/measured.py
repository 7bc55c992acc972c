"""Draws what was measured of the checkpoints here, and the shapes of a pass, as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby

from app.results.models import MeasuredScore, Shape
from app.views.downloads import draw_downloads

Labels = Mapping[str, str]
# Perplexities are no shares; nor is a difference of cosines.
PLAIN = {"perplexity": ".1f", "two_way": ".1f", "word_sense": ".3f", "similarity": ".3f"}


def draw_scores(scores: Sequence[MeasuredScore], labels: Labels) -> str:
    """A table for each measure: what it is, then the models."""
    tables = "".join(
        _table(measure, list(group), labels) for measure, group in groupby(scores, lambda one: one.measure)
    )
    rows = ((one.measure, one.model, one.value, one.beside) for one in scores)
    saved = draw_downloads("scores", ("measure", "model", "value", "counting"), rows)
    return f"<article class='answer measured'>{tables}{saved}</article>"


def _table(measure: str, scores: Sequence[MeasuredScore], labels: Labels) -> str:
    beside = any(one.beside is not None for one in scores)
    head = [labels["checkpoint"], labels["value"], *([labels["counting"]] if beside else [])]
    heads = "".join(f"<th scope='col'>{escape(one)}</th>" for one in head)
    rows = "".join(
        f"<tr><th scope='row'>{escape(one.model)}</th><td>{_number(measure, one.value)}</td>"
        + (f"<td>{_number(measure, one.beside)}</td>" if beside else "")
        + "</tr>"
        for one in scores
    )
    return (
        f"<h4>{escape(labels[f'measure.{measure}'])}</h4><div class='scroll'><table data-measure='{measure}'>"
        f"<thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _number(measure: str, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:{PLAIN[measure]}}" if measure in PLAIN else f"{100 * value:.1f}\u00a0%"


def draw_shapes(shapes: Sequence[Shape], model: str, labels: Labels) -> str:
    """Step by step, what it is and how large."""
    rows = "".join(
        f"<tr data-step='{one.step}'><th scope='row'>{escape(labels[f'step.{one.step}'])}</th>"
        f"<td><code>[{', '.join(str(size) for size in one.sizes)}]</code></td></tr>"
        for one in shapes
    )
    head = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in ("step", "shape"))
    return (
        f"<article class='answer' data-model='{escape(model)}'><h3>{escape(model)}</h3><div class='scroll'><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></article>"
    )
