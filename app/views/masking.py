"""Draws BERT's corruption: one draw as words, and counts for static against dynamic masking."""

from __future__ import annotations

from collections.abc import Mapping

from app.results.about import About
from app.results.attention import MaskDraw, MaskingResult
from app.views.candidates import visible
from app.views.cards import draw_cards
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, details, join, listed, section, table, tag

Labels = Mapping[str, str]

ACTIONS = ("mask", "random", "kept")


def draw_masking(result: MaskingResult, about: About, labels: Labels) -> Markup:
    """The first dynamic draw, then the results of all epochs for both ways."""
    sides = (
        draw_side(result, draws, labels[way], labels)
        for way, draws in (("static", result.static), ("dynamic", result.dynamic))
    )
    legend = (join(tag("span", class_=f"swatch {key}"), f" {labels[f'action.{key}']}") for key in ACTIONS)
    return draw_card(
        about,
        listed("ul", legend, class_="legend"),
        draw_sentence(result, result.dynamic[0], labels),
        draw_cards(sides),
        _downloads(result),
        kind="masking",
    )


def _downloads(result: MaskingResult) -> Markup:
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


def draw_sentence(result: MaskingResult, draw: MaskDraw, labels: Labels) -> Markup:
    """What the model reads in one draw; chosen tokens are marked, and their tooltips have the originals."""
    spans = []
    for token, action, shown in zip(result.tokens, draw.actions, draw.shown, strict=True):
        if action:
            hint = f"{labels[f'action.{action}']}: {token}"
            spans.append(tag("b", visible(shown), class_=action, title=hint, tabindex=0))
        else:
            spans.append(tag("span", visible(shown)))
    return tag("p", Markup(" ").join(spans), class_="drawn")


def draw_side(result: MaskingResult, draws: list[MaskDraw], title: str, labels: Labels) -> Markup:
    """One way of masking over all epochs: counts, and how often each token was chosen."""
    chosen = zip(result.tokens, times_chosen(result, draws), result.special, strict=True)
    rows = ((visible(token), count) for token, count, special in chosen if not special)
    counters = table((labels["token"], labels["chosen"]), rows)
    said = tag("p", tag("b", summarised(result, draws, labels)))
    return section(title, said, details(labels["per_token"], counters))


def times_chosen(result: MaskingResult, draws: list[MaskDraw]) -> list[int]:
    """How often each token was chosen."""
    return [sum(bool(draw.actions[index]) for draw in draws) for index in range(len(result.tokens))]


def summarised(result: MaskingResult, draws: list[MaskDraw], labels: Labels) -> str:
    """One sentence on all epochs."""
    counts, patterns = times_chosen(result, draws), {(tuple(draw.actions), tuple(draw.shown)) for draw in draws}
    never = sum(not count for count, special in zip(counts, result.special, strict=True) if not special)
    said = {"epochs": len(draws), "patterns": len(patterns), "never": never, "tokens": result.special.count(False)}
    return labels["counters"].format(**said)
