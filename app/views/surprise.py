"""Draws how surprised a model is by whole texts, and pairs of sentences decided by it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from app.results.about import About
from app.results.prompting import MinimalPairsResult
from app.results.text import ScoreResult
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading

Labels = Mapping[str, str]


def draw_comparison(results: Sequence[ScoreResult], labels: Labels) -> str:
    """Texts side by side: pieces, bits in all and per piece."""
    keys = ("text", "pieces", "bits_all", "bits_each")
    head = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in keys)
    rows = "".join(
        f"<tr><th scope='row'>{number}</th><td>{len(result.tokens)}</td><td>{bits(result.log_probability):.1f}</td>"
        f"<td>{bits(result.log_probability) / len(result.tokens):.2f}</td></tr>"
        for number, result in enumerate(results, start=1)
    )
    likelier = 1 + max(range(len(results)), key=lambda index: results[index].log_probability)
    apart = abs(bits(results[0].log_probability) - bits(results[-1].log_probability))
    said = labels["likelier"].format(number=likelier, bits=f"{apart:.1f}")
    columns = ("text", "pieces", "bits", "log_probability")
    table = ((n, len(one.tokens), bits(one.log_probability), one.log_probability) for n, one in enumerate(results, 1))
    saved = draw_downloads(f"surprise-{results[0].model}", columns, table, model=results[0].model)
    return (
        f"<article class='answer'><h3>{escape(labels['compared'])}</h3><div class='scroll'><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div><p>{escape(said)}</p>{saved}</article>"
    )


def draw_pairs(result: MinimalPairsResult, about: About, labels: Labels) -> str:
    """Every pair with its difference in bits, and how many were decided rightly."""
    keys = ("good", "bad", "difference")
    head = "".join(f"<th scope='col'>{escape(labels[key])}</th>" for key in keys)
    rows = []
    for pair in result.pairs:
        apart = bits(pair.bad_log_probability) - bits(pair.good_log_probability)
        key, sign = ("right", "✓") if apart > 0 else ("wrong", "✗")
        rows.append(
            f"<tr><td>{escape(pair.good)}</td><td>{escape(pair.bad)}</td>"
            f"<td class='{key}'><span aria-label='{escape(labels[key])}'>{sign}</span> {apart:+.1f}</td></tr>"
        )
    columns = ("good", "bad", "good_log_probability", "bad_log_probability")
    table = ((one.good, one.bad, one.good_log_probability, one.bad_log_probability) for one in result.pairs)
    saved = draw_downloads(f"pairs-{result.model}", columns, table, model=result.model, accuracy=result.accuracy)
    said = labels["pairs_said"].format(right=round(result.accuracy * len(result.pairs)), count=len(result.pairs))
    return (
        f"<article class='answer' data-model='{escape(result.model)}'>"
        f"{draw_heading(about)}<p>{escape(said)}</p><div class='scroll'><table class='bench'>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>{saved}</article>"
    )


def bits(log_probability: float) -> float:
    """Surprise: minus the natural logarithm, in bits."""
    return -log_probability / math.log(2)
