"""Draws a sentence: as words to click, as tokens coloured by surprisal."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from html import escape
from itertools import groupby

from app.results.about import About
from app.results.blank import PATTERN
from app.results.text import ScoreResult, TokenScore
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note

Labels = Mapping[str, str]

CJK = "\u3400-\u9fff\uf900-\ufaff"
# A blank, a Chinese character, a run of letters and digits (with inner apostrophes or hyphens), or any other sign.
WORD = re.compile(rf"(?P<blank>{PATTERN})|[{CJK}]|[^\W_{CJK}]+(?:['’-][^\W_{CJK}]+)*|[^\s\w]|_+", re.IGNORECASE)
# Bits of surprisal that get the full colour.
FULL_COLOUR_BITS = 16.0


def draw_words(text: str, labels: Labels) -> str:
    """The sentence as buttons: a click hides a word, a click on a blank brings it back.

    Offsets are Python string indices, computed here, so that emoji do not shift them.
    """
    parts, last = [], 0
    for match in WORD.finditer(text):
        parts.append(escape(text[last : match.start()]))
        blank = match.group("blank") is not None
        hint = escape(labels["show_word" if blank else "hide_word"])
        parts.append(
            f"<button type='button' class='{'blank' if blank else 'word'}' data-start='{match.start()}' "
            f"data-end='{match.end()}' title='{hint}'>{'&nbsp;?&nbsp;' if blank else escape(match.group())}</button>"
        )
        last = match.end()
    return f"<p class='words' dir='auto'>{''.join(parts)}{escape(text[last:])}</p>"


def draw_surprisal(result: ScoreResult, text: str, about: About, labels: Labels, note: str = "") -> str:
    """Tokens coloured by how little the model expected them; bits and rank on hover; a remark, if there is one.

    Pieces that share their characters (the bytes of an emoji) are shown once, with their bits added up.
    """
    spans, last = [], 0
    for (start, end), group in groupby(result.tokens, key=lambda token: (token.start, token.end)):
        pieces = list(group)
        if start < last:  # a piece whose characters were shown already
            continue
        spans += [escape(text[last:start]), _coloured(pieces, text[start:end], labels)]
        last = end
    summary = labels["perplexity"].format(kind=labels[result.kind], perplexity=f"{result.perplexity:,.1f}")
    return (
        f"<article class='answer'>{draw_heading(about)}"
        f"{draw_note(note)}"
        f"<p class='surprisal' dir='auto'>{''.join(spans)}{escape(text[last:])}</p><p>{escape(summary)}</p>"
        f"{_downloads(result, text)}</article>"
    )


def _downloads(result: ScoreResult, text: str) -> str:
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


def _coloured(pieces: list[TokenScore], shown: str, labels: Labels) -> str:
    bits = -sum(piece.log_probability for piece in pieces) / math.log(2)
    rank = ", ".join(f"{piece.rank:,}" for piece in pieces)
    hint = escape(labels["bits"].format(bits=f"{bits:.1f}", rank=rank))
    strength = min(1.0, bits / FULL_COLOUR_BITS)
    return f"<span style='--strength:{strength:.2f}' title='{hint}' tabindex='0'>{escape(shown)}</span>"
