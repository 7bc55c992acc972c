"""Draws a sentence as words to click, or as tokens coloured by surprisal."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from itertools import groupby

from app.results.about import About
from app.results.expressions.blank import PATTERN
from app.results.expressions.writing import WORD
from app.results.text import ScoreResult, TokenScore
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, mixed, tag

Labels = Mapping[str, str]
Part = tuple[int, int, Markup]

CAUSAL = "causal"
BLANK_OR_WORD = re.compile(rf"(?P<blank>{PATTERN})|{WORD.pattern}", re.IGNORECASE)
# Surprisal in bits that gets the full colour: few tokens cost more, so that colours of any two can be compared.
FULL_COLOUR_BITS = 24
STEPS = 4  # of the scale


def draw_words(text: str, labels: Labels) -> Markup:
    """The sentence as buttons: a click hides a word, a click on a blank brings it back.

    Offsets are Python string indices, computed here, so that emoji do not shift them.
    """
    words = (
        draw_blank(match, labels) if match["blank"] else draw_word(match[0], *match.span(), labels["hide_word"])
        for match in BLANK_OR_WORD.finditer(text)
    )
    return tag("p", mixed(text, words), class_="words", dir="auto")


def draw_word(shown: str, start: int, end: int, hint: str, kind: str = "word", look: str | None = None) -> Part:
    """A word of a text, or its replacement, as a button, with its start and end in the text."""
    given = {"class_": kind, "style": look, "data_start": start, "data_end": end, "title": hint}
    return start, end, tag("button", shown, type="button", **given)


def draw_blank(match: re.Match[str], labels: Labels) -> Part:
    """A blank as such a button."""
    return draw_word("\u00a0?\u00a0", *match.span(), labels["show_word"], "blank")


def draw_surprisal(
    result: ScoreResult, text: str, about: About, labels: Labels, note: str = "", title: str = ""
) -> Markup:
    """Tokens coloured by surprisal, with bits and rank on hover, and a remark and a title if there are any.

    Pieces that share their characters (such as the bytes of an emoji) are shown once, with their bits added up.
    """
    groups = groupby(result.tokens, key=lambda token: (token.start, token.end))
    spans = (_coloured(list(group), text, result.kind == CAUSAL, labels) for _, group in groups)
    summary = labels["perplexity"].format(kind=labels[result.kind], perplexity=f"{result.perplexity:,.1f}")
    coloured = tag("p", mixed(text, spans), class_="surprisal", dir="auto")
    scale = _scale(labels, result.kind == CAUSAL)
    named = tag("h4", title) if title else ""
    return draw_card(about, named, coloured, scale, tag("p", summary), _downloads(result, text), note=note)


def _downloads(result: ScoreResult, text: str) -> Markup:
    rows = (
        (one.token, one.start, one.end, one.log_probability, -one.log_probability / math.log(2), one.rank)
        for one in result.tokens
    )
    return draw_downloads(
        f"score-{result.model}",
        ("token", "start", "end", "log_probability", "bits", "rank"),
        rows,
        model=result.model,
        revision=result.revision,
        text=text,
        kind=result.kind,
        perplexity=result.perplexity,
    )


def _coloured(pieces: list[TokenScore], text: str, causal: bool, labels: Labels) -> Part:
    """A token without the space before it, which would be a stub of colour at the end of a line."""
    start, end = pieces[0].start, pieces[0].end
    start += len(text[start:end]) - len(text[start:end].lstrip())
    bits = -sum(piece.log_probability for piece in pieces) / math.log(2)
    hint = labels["bits"].format(bits=f"{bits:.1f}", rank=", ".join(f"{piece.rank:,}" for piece in pieces))
    if causal and not text[:start].strip():
        return start, end, tag("span", text[start:end], title=f"{hint} · {labels['first_token']}", tabindex=0)
    return start, end, tag("span", text[start:end], style=_strength(bits), title=hint, tabindex=0)


def _strength(bits: float) -> str:
    return f"--strength:{min(1.0, bits / FULL_COLOUR_BITS):.2f}"


def _scale(labels: Labels, causal: bool) -> Markup:
    """What the colours mean, from nothing to the full one."""
    steps = [FULL_COLOUR_BITS * step // STEPS for step in range(STEPS + 1)]
    shown = (tag("span", f"\u00a0{bits}\u00a0", style=_strength(bits)) for bits in steps)
    first = f" · {labels['first_token']}" if causal else ""
    return tag("p", *shown, f" {labels['scale_bits']}{first}", class_="trust surprisal scale")
