"""Draws how surprised a model is by whole texts, and pairs of sentences decided by surprise."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from app.results.about import About
from app.results.prompting import MinimalPair, MinimalPairsResult
from app.results.text import ScoreResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, card, table, tag, td, th

Labels = Mapping[str, str]


def draw_comparison(results: Sequence[ScoreResult], labels: Labels) -> Markup:
    """Texts side by side: pieces, total bits and bits per piece."""
    rows = (
        (th(at), len(one.tokens), f"{bits(one.log_probability):.1f}", f"{_bits_each(one):.2f}")
        for at, one in enumerate(results, start=1)
    )
    likelier = 1 + max(range(len(results)), key=lambda index: results[index].log_probability)
    # Of the shown numbers: whoever subtracts them gets the same.
    apart = abs(round(bits(results[0].log_probability), 1) - round(bits(results[-1].log_probability), 1))
    said = labels["likelier"].format(number=likelier, bits=f"{apart:.1f}")
    columns = ("text", "pieces", "bits", "log_probability")
    numbers = ((n, len(one.tokens), bits(one.log_probability), one.log_probability) for n, one in enumerate(results, 1))
    saved = draw_downloads(f"surprise-{results[0].model}", columns, numbers, model=results[0].model)
    head = [labels[key] for key in ("text", "pieces", "bits_all", "bits_each")]
    return card(tag("h3", labels["compared"]), table(head, rows), tag("p", said), saved)


def draw_pairs(result: MinimalPairsResult, about: About, labels: Labels) -> Markup:
    """Every pair with its difference in bits, and how many were decided correctly."""
    columns = ("good", "bad", "good_log_probability", "bad_log_probability")
    numbers = ((one.good, one.bad, one.good_log_probability, one.bad_log_probability) for one in result.pairs)
    saved = draw_downloads(f"pairs-{result.model}", columns, numbers, model=result.model, accuracy=result.accuracy)
    said = labels["pairs_said"].format(right=round(result.accuracy * len(result.pairs)), count=len(result.pairs))
    head = [labels[key] for key in ("good", "bad", "difference")]
    rows = (_pair(pair, labels) for pair in result.pairs)
    return draw_card(about, tag("p", said), table(head, rows, class_="bench"), saved, model=result.model)


def _pair(pair: MinimalPair, labels: Labels) -> tuple[str, str, Markup]:
    apart = bits(pair.bad_log_probability) - bits(pair.good_log_probability)
    key, sign = ("right", "✓") if apart > 0 else ("wrong", "✗")
    return pair.good, pair.bad, td(tag("span", sign, aria_label=labels[key]), f" {apart:+.1f}", class_=key)


def _bits_each(result: ScoreResult) -> float:
    return bits(result.log_probability) / len(result.tokens)


def bits(log_probability: float) -> float:
    """Surprise: minus the natural logarithm, in bits."""
    return -log_probability / math.log(2)
