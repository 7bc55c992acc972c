"""Draws one head's arithmetic for one query token in numbers: q, k, the dot products, softmax, the weighted values."""

from __future__ import annotations

import math
from collections.abc import Mapping

from app.results.attention import HeadSteps
from app.views.candidates import visible
from app.views.downloads import draw_downloads
from app.views.html import Markup, card, join, table, tag, tr
from app.views.notes import draw_note

Labels = Mapping[str, str]

# The keys with the most weight get a row, up to this many; a line below sums up the others.
MOST_ROWS = 24
FORMULA = Markup("softmax( Q K<sup>⊤</sup> / √d<sub>k</sub> ) V &nbsp; d<sub>k</sub> = {}, √d<sub>k</sub> = {:.4f}")
POSITIVE, NEGATIVE = "13 148 136", "234 88 12"


def draw_head_steps(steps: HeadSteps, labels: Labels) -> Markup:
    """The formula, the query's vector, a row per key, and the head's output."""
    token = visible(steps.tokens[steps.query_index])
    title = labels["steps_title"].format(layer=steps.layer, head=steps.head, token=token, model=steps.model)
    rows = sorted(sorted(range(len(steps.tokens)), key=lambda key: -steps.weights[key])[:MOST_ROWS])
    rest = len(steps.tokens) - len(rows)
    left = sum(weight for key, weight in enumerate(steps.weights) if key not in rows)
    more = labels["steps_rest"].format(count=rest, weight=f"{left:.6f}") if rest else ""
    scale = largest([steps.query, *(steps.keys[key] for key in rows)])
    value_scale = largest([steps.values[key] for key in rows])
    names = (labels["steps_key"], "k", "q · k", "q · k / √d", "softmax", "v", labels["steps_weighted"])
    return card(
        tag("h3", title),
        draw_formula(steps, labels),
        tag("p", tag("b", "q"), " ", strip(steps.query, scale)),
        table(names, (_row(steps, key, scale, value_scale) for key in rows)),
        tag("p", more),
        tag("p", tag("b", labels["steps_output"]), " ", strip(steps.output, largest([steps.output]))),
        tag("p", tag("small", labels["steps_strips"])),
        _downloads(steps, rows),
        kind="steps",
    )


def _downloads(steps: HeadSteps, drawn: list[int]) -> Markup:
    """Products and weights of all keys; vectors of the drawn ones."""
    rows = (
        (key, token, steps.products[key], steps.scaled[key], steps.weights[key])
        for key, token in enumerate(steps.tokens)
    )
    name = f"head-{steps.model}-layer{steps.layer}-head{steps.head}-token{steps.query_index}"
    return draw_downloads(
        name,
        ("key", "token", "product", "scaled", "weight"),
        rows,
        model=steps.model,
        layer=steps.layer,
        head=steps.head,
        query_index=steps.query_index,
        causal=steps.causal,
        query=steps.query,
        keys={key: steps.keys[key] for key in drawn},
        values={key: steps.values[key] for key in drawn},
        output=steps.output,
    )


def draw_formula(steps: HeadSteps, labels: Labels) -> Markup:
    """The formula of Vaswani et al. 2017 with this head's size in it."""
    formula = FORMULA.format(steps.size, math.sqrt(steps.size))
    return tag("p", formula, class_="formula") + draw_note(labels["steps_causal"] if steps.causal else "")


def _row(steps: HeadSteps, key: int, scale: float, value_scale: float) -> Markup:
    scaled, weight = steps.scaled[key], steps.weights[key]
    return tr(
        join(visible(steps.tokens[key]), " ", tag("small", key)),
        strip(steps.keys[key], scale),
        f"{steps.products[key]:.4f}",
        "−∞" if math.isinf(scaled) else f"{scaled:.4f}",
        tag("b", f"{weight:.6f}"),
        strip(steps.values[key], value_scale),
        strip([weight * value for value in steps.values[key]], value_scale),
        class_=key == steps.query_index and "here",
    )


def largest(vectors: list[list[float]]) -> float:
    """The largest absolute value in several vectors."""
    return max((abs(number) for vector in vectors for number in vector), default=0.0) or 1.0


def strip(vector: list[float], scale: float) -> Markup:
    """A vector as a strip of colours, one per number; the tooltip has the numbers."""
    width = 100 / len(vector)
    stops = ",".join(
        f"rgb({POSITIVE if number >= 0 else NEGATIVE}/{min(1.0, abs(number) / scale):.2f}) "
        f"{at * width:.2f}% {(at + 1) * width:.2f}%"
        for at, number in enumerate(vector)
    )
    numbers = " ".join(f"{number:.4f}" for number in vector)
    return tag("span", class_="strip", title=numbers, style=f"background:linear-gradient(90deg,{stops})")
