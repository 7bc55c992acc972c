"""Draws a text while a model writes it: each token coloured by how probable it was, to be chosen by a click."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

from app.results.about import About
from app.results.prompting import PromptSize, Writing, WrittenPiece
from app.views.candidates import in_percent
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading

Labels = Mapping[str, str]

# Bits of surprise that get the full colour.
FULL_COLOUR_BITS = 16.0


def draw_writing(writing: Writing, about: About, labels: Labels, stopped: str = "") -> str:
    """One model's text as an article.

    Args:
        writing: as far as it is.
        about: the model.
        labels: the tab's texts in one language.
        stopped: how it ended, where the writing does not know: "visitor".
    """
    ended = writing.stopped or stopped
    state = labels[f"stopped.{ended}"] if ended else labels["writing"]
    mean = _mean_bits(writing)
    facts = [state, labels["count"].format(count=len(writing.tokens))]
    facts += [labels["mean_bits"].format(bits=f"{mean:.1f}")] if mean is not None else []
    facts += [labels[f"precision.{writing.precision}"]]
    cursor = "" if ended else "<span class='cursor'>▍</span>"
    return (
        f"<article class='answer' data-model='{escape(writing.model)}' data-stopped='{escape(ended)}'>"
        f"{draw_heading(about)}"
        f"<p class='surprisal written' dir='auto'><span class='prompt'>{escape(writing.prompt)}</span>"
        f"{''.join(_token(piece, labels) for piece in writing.pieces)}{cursor}</p>"
        f"<p class='trust' role='status'>{escape(' · '.join(facts))}</p>"
        f"{_downloads(writing) if ended else ''}</article>"
    )


def _downloads(writing: Writing) -> str:
    rows = ((one.token, one.token_id, one.probability, one.rank) for one in writing.tokens)
    columns = ("token", "token_id", "probability", "rank")
    return draw_downloads(f"generate-{writing.model}", columns, rows, model=writing.model, prompt=writing.prompt)


def _token(piece: WrittenPiece, labels: Labels) -> str:
    probability = math.prod(token.probability for token in piece.tokens)
    bits = -math.log2(max(probability, 1e-300))
    ranks = ", ".join(f"{token.rank:,}" for token in piece.tokens)
    hint = labels["token_hint"].format(probability=in_percent(probability), bits=f"{bits:.1f}", rank=ranks)
    if len(piece.tokens) > 1:
        hint += " · " + labels["bytes_hint"].format(count=len(piece.tokens), bytes=piece.content)
    return (
        f"<span role='button' tabindex='0' data-index='{piece.first}' title='{escape(hint)}' "
        f"style='--strength:{min(1.0, bits / FULL_COLOUR_BITS):.2f}'>{escape(piece.text)}</span>"
    )


def _mean_bits(writing: Writing) -> float | None:
    tokens = writing.tokens
    return -sum(math.log2(max(token.probability, 1e-300)) for token in tokens) / len(tokens) if tokens else None


def draw_size(size: PromptSize, new_tokens: int, labels: Labels) -> str:
    """How much of the window the prompt takes, said before anything runs."""
    room = max(0, size.window - size.tokens)
    said = labels["size"].format(tokens=f"{size.tokens:,}", window=f"{size.window:,}", room=f"{room:,}")
    parts = [f"<p class='trust'>{escape(said)}</p>"]
    if size.tokens >= size.window:  # one new piece has to fit
        over = f"{size.tokens - size.window + 1:,}"
        parts.append(f"<p class='note'>{escape(labels['size_full'].format(over=over))}</p>")
    elif new_tokens > room:
        parts.append(f"<p class='note'>{escape(labels['size_short'].format(room=f'{room:,}'))}</p>")
    if size.ends_with_space:
        parts.append(f"<p class='note'>{escape(labels['trailing_space'])}</p>")
    return "".join(parts)
