"""Draws one head's arithmetic for one query token: q, k, the dot products, softmax, the weighted values, as numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

from app.results.attention import HeadSteps
from app.views.candidates import visible
from app.views.downloads import draw_downloads

Labels = Mapping[str, str]

# So many keys get a row, those with the most weight; what the others have together is said below.
MOST_ROWS = 24
POSITIVE, NEGATIVE = "13 148 136", "234 88 12"


def draw_head_steps(steps: HeadSteps, labels: Labels) -> str:
    """The formula, the query's vector, a row per key, and the head's output."""
    token = visible(steps.tokens[steps.query_index])
    title = labels["steps_title"].format(layer=steps.layer, head=steps.head, token=token, model=steps.model)
    rows = sorted(sorted(range(len(steps.tokens)), key=lambda key: -steps.weights[key])[:MOST_ROWS])
    rest = len(steps.tokens) - len(rows)
    left = sum(weight for key, weight in enumerate(steps.weights) if key not in rows)
    more = labels["steps_rest"].format(count=rest, weight=f"{left:.6f}") if rest else ""
    scale = largest([steps.query, *(steps.keys[key] for key in rows)])
    value_scale = largest([steps.values[key] for key in rows])
    return (
        f"<article class='answer steps'><h3>{escape(title)}</h3>{draw_formula(steps, labels)}"
        f"<p><b>q</b> {strip(steps.query, scale)}</p>"
        f"<div class='scroll'><table><thead><tr>{_head(labels)}</tr></thead><tbody>"
        f"{''.join(_row(steps, key, scale, value_scale) for key in rows)}</tbody></table></div>"
        f"<p>{escape(more)}</p>"
        f"<p><b>{escape(labels['steps_output'])}</b> {strip(steps.output, largest([steps.output]))}</p>"
        f"<p><small>{escape(labels['steps_strips'])}</small></p>{_downloads(steps, rows)}</article>"
    )


def _downloads(steps: HeadSteps, drawn: list[int]) -> str:
    """Products and weights of all keys; vectors of those that are drawn."""
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


def draw_formula(steps: HeadSteps, labels: Labels) -> str:
    """The formula of Vaswani et al. 2017 with this head's size in it."""
    mask = f"<p class='note'>{escape(labels['steps_causal'])}</p>" if steps.causal else ""
    return (
        "<p class='formula'>softmax( Q K<sup>⊤</sup> / √d<sub>k</sub> ) V"
        f" &nbsp; d<sub>k</sub> = {steps.size}, √d<sub>k</sub> = {math.sqrt(steps.size):.4f}</p>{mask}"
    )


def _head(labels: Labels) -> str:
    names = (labels["steps_key"], "k", "q · k", "q · k / √d", "softmax", "v", labels["steps_weighted"])
    return "".join(f"<th>{escape(name)}</th>" for name in names)


def _row(steps: HeadSteps, key: int, scale: float, value_scale: float) -> str:
    scaled = steps.scaled[key]
    weighted = [steps.weights[key] * value for value in steps.values[key]]
    here = " class='here'" if key == steps.query_index else ""
    return (
        f"<tr{here}><td>{escape(visible(steps.tokens[key]))} <small>{key}</small></td>"
        f"<td>{strip(steps.keys[key], scale)}</td><td>{steps.products[key]:.4f}</td>"
        f"<td>{'−∞' if math.isinf(scaled) else f'{scaled:.4f}'}</td><td><b>{steps.weights[key]:.6f}</b></td>"
        f"<td>{strip(steps.values[key], value_scale)}</td><td>{strip(weighted, value_scale)}</td></tr>"
    )


def largest(vectors: list[list[float]]) -> float:
    """The largest absolute number of several vectors."""
    return max((abs(number) for vector in vectors for number in vector), default=0.0) or 1.0


def strip(vector: list[float], scale: float) -> str:
    """A vector as a strip of colours, one per number; the numbers are in its hint."""
    width = 100 / len(vector)
    stops = ",".join(
        f"rgb({POSITIVE if number >= 0 else NEGATIVE}/{min(1.0, abs(number) / scale):.2f}) "
        f"{at * width:.2f}% {(at + 1) * width:.2f}%"
        for at, number in enumerate(vector)
    )
    numbers = " ".join(f"{number:.4f}" for number in vector)
    return f"<span class='strip' title='{numbers}' style='background:linear-gradient(90deg,{stops})'></span>"
