"""Draws texts as points with a colour and a shape for each label; the text is shown on hover and to screen readers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.results.classification import LabelMap
from app.views.downloads import draw_downloads

Labels = Mapping[str, str]
# Colours that colour-blind readers tell apart (Okabe and Ito 2008), and a shape for each; drawn around 0, 0.
CLASSES = (
    ("#0072b2", "<circle r='5'/>"),
    ("#d55e00", "<rect x='-4.6' y='-4.6' width='9.2' height='9.2'/>"),
    ("#009e73", "<path d='M0-6 5.4 4.4-5.4 4.4z'/>"),
    ("#cc79a7", "<path d='M0-6.4 5.6 0 0 6.4-5.6 0z'/>"),
    ("#b8860b", "<path d='M-6-2h4v-4h4v4h4v4h-4v4h-4v-4h-4z'/>"),
    ("#56b4e9", "<path d='M-6 5 0-6 6 5 0 2z'/>"),
    ("#7b3fa0", "<rect x='-6' y='-2.5' width='12' height='5'/>"),
    ("#8a8a8a", "<rect x='-2.5' y='-6' width='5' height='12'/>"),
)
EDGE, MARGIN = 420, 14


def look_of(number: int) -> tuple[str, str]:
    """Colour and shape of a class: past the eighth a colour comes again with another shape."""
    around = len(CLASSES)
    return CLASSES[number % around][0], CLASSES[(number + number // around) % around][1]


def draw_label_map(made: LabelMap, title: str, classes: Sequence[str] = ()) -> str:
    """The points, and a legend with one entry for each label.

    Args:
        made: the points.
        title: the caption.
        classes: all that there may be: maps that are drawn with the same ones give each the same colour and shape.
    """
    known = sorted({*made.labels, *classes})
    look = {label: look_of(number) for number, label in enumerate(known)}
    half, reach = EDGE / 2, EDGE / 2 - MARGIN
    points = "".join(
        f"<g transform='translate({half + x * reach:.1f} {half - y * reach:.1f})' fill='{look[label][0]}' "
        f"fill-opacity='.75'>{look[label][1]}<title>{escape(label)}: {escape(text)}</title></g>"
        for (x, y), label, text in zip(made.points, made.labels, made.texts, strict=True)
    )
    legend = "".join(
        f"<li><svg width='16' height='16' viewBox='-8 -8 16 16' fill='{look[label][0]}' aria-hidden='true'>"
        f"{look[label][1]}</svg> {escape(label)}</li>"
        for label in known
    )
    rows = ((x, y, label, text) for (x, y), label, text in zip(made.points, made.labels, made.texts, strict=True))
    saved = draw_downloads(f"map-{made.method}-{made.model}", ("x", "y", "label", "text"), rows, model=made.model)
    return (
        f"<figure class='label-map'><figcaption>{escape(title)}</figcaption>"
        f"<svg viewBox='0 0 {EDGE} {EDGE}' role='img' aria-label='{escape(title)}'>{points}</svg>"
        f"<ul class='legend'>{legend}</ul>{saved}</figure>"
    )
