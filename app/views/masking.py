"""Draws BERT's corruption: one draw in words, the counters of static against dynamic masking."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from app.results.about import About
from app.results.attention import MaskDraw, MaskingResult
from app.views.candidates import visible
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading

Labels = Mapping[str, str]

ACTIONS = ("mask", "random", "kept")


def draw_masking(result: MaskingResult, about: About, labels: Labels) -> str:
    """The first dynamic draw, then what came of all epochs in both ways."""
    sides = "".join(
        draw_side(result, draws, labels[way], labels)
        for way, draws in (("static", result.static), ("dynamic", result.dynamic))
    )
    legend = "".join(f"<li><span class='swatch {a}'></span> {escape(labels['action.' + a])}</li>" for a in ACTIONS)
    return (
        f"<article class='answer masking'>{draw_heading(about)}"
        f"<ul class='legend'>{legend}</ul>{draw_sentence(result, result.dynamic[0], labels)}"
        f"<div class='answers'>{sides}</div>{_downloads(result)}</article>"
    )


def _downloads(result: MaskingResult) -> str:
    """A row per chosen token."""
    rows = (
        (way, epoch, at, result.tokens[at], action, draw.shown[at])
        for way, draws in (("static", result.static), ("dynamic", result.dynamic))
        for epoch, draw in enumerate(draws, start=1)
        for at, action in enumerate(draw.actions)
        if action
    )
    columns = ("masking", "epoch", "token_index", "token", "action", "read_as")
    return draw_downloads(f"masking-{result.model}", columns, rows, model=result.model, copies=result.copies)


def draw_sentence(result: MaskingResult, draw: MaskDraw, labels: Labels) -> str:
    """What the model reads in one draw; the chosen tokens are marked, what stood there is in their hints."""
    spans = []
    for token, action, shown in zip(result.tokens, draw.actions, draw.shown, strict=True):
        if not action:
            spans.append(f"<span>{escape(visible(shown))}</span>")
            continue
        hint = escape(f"{labels['action.' + action]}: {token}")
        spans.append(f"<b class='{action}' title='{hint}' tabindex='0'>{escape(visible(shown))}</b>")
    return f"<p class='drawn'>{' '.join(spans)}</p>"


def draw_side(result: MaskingResult, draws: list[MaskDraw], title: str, labels: Labels) -> str:
    """One way of masking over all epochs: the counters, how often each token was chosen."""
    counts, summary = times_chosen(result, draws), summarised(result, draws, labels)
    return (
        f"<section><h4>{escape(title)}</h4><p><b>{escape(summary)}</b></p>{_counters(result, counts, labels)}</section>"
    )


def times_chosen(result: MaskingResult, draws: list[MaskDraw]) -> list[int]:
    """How often each token was chosen."""
    return [sum(bool(draw.actions[index]) for draw in draws) for index in range(len(result.tokens))]


def summarised(result: MaskingResult, draws: list[MaskDraw], labels: Labels) -> str:
    """One sentence on all epochs."""
    counts, patterns = times_chosen(result, draws), {(tuple(draw.actions), tuple(draw.shown)) for draw in draws}
    never = sum(not count for count, special in zip(counts, result.special, strict=True) if not special)
    said = {"epochs": len(draws), "patterns": len(patterns), "never": never, "tokens": result.special.count(False)}
    return labels["counters"].format(**said)


def _counters(result: MaskingResult, counts: list[int], labels: Labels) -> str:
    rows = "".join(
        f"<tr><td>{escape(visible(token))}</td><td>{count}</td></tr>"
        for token, count, special in zip(result.tokens, counts, result.special, strict=True)
        if not special
    )
    head = "".join(f"<th>{escape(labels[key])}</th>" for key in ("token", "chosen"))
    return (
        f"<details><summary>{escape(labels['per_token'])}</summary><div class='scroll'><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></details>"
    )
