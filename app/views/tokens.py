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

BLANK_OR_WORD = re.compile(rf"(?P<blank>{PATTERN})|{WORD.pattern}", re.IGNORECASE)
# Surprisal in bits that gets the full colour.
FULL_COLOUR_BITS = 16.0


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


def draw_surprisal(result: ScoreResult, text: str, about: About, labels: Labels, note: str = "") -> Markup:
    """Tokens coloured by surprisal, with bits and rank on hover, and a remark if there is one.

    Pieces that share their characters (such as the bytes of an emoji) are shown once, with their bits added up.
    """
    groups = groupby(result.tokens, key=lambda token: (token.start, token.end))
    spans = ((start, end, _coloured(list(group), text[start:end], labels)) for (start, end), group in groups)
    summary = labels["perplexity"].format(kind=labels[result.kind], perplexity=f"{result.perplexity:,.1f}")
    coloured = tag("p", mixed(text, spans), class_="surprisal", dir="auto")
    return draw_card(about, coloured, tag("p", summary), _downloads(result, text), note=note)


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


def _coloured(pieces: list[TokenScore], shown: str, labels: Labels) -> Markup:
    bits = -sum(piece.log_probability for piece in pieces) / math.log(2)
    hint = labels["bits"].format(bits=f"{bits:.1f}", rank=", ".join(f"{piece.rank:,}" for piece in pieces))
    return tag("span", shown, style=f"--strength:{min(1.0, bits / FULL_COLOUR_BITS):.2f}", title=hint, tabindex=0)
