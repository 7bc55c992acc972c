"""Draws a text while a model writes it: each token is coloured by its probability and can be clicked."""

from __future__ import annotations

import math
from collections.abc import Mapping

from app.results.about import About
from app.results.prompting import PromptSize, Writing, WrittenPiece
from app.views.candidates import in_percent
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, join, tag
from app.views.notes import draw_note

Labels = Mapping[str, str]

# Surprisal in bits that gets the full colour.
FULL_COLOUR_BITS = 16.0
LITTLE = 0.1  # a mean below this is said with one more digit


def draw_writing(writing: Writing, about: About, labels: Labels, stopped: str = "") -> Markup:
    """One model's text as an article.

    Args:
        writing: the text so far.
        about: the model.
        labels: the tab's texts in one language.
        stopped: how it ended, if the writing itself does not know: "visitor".
    """
    ended = writing.stopped or stopped
    state = labels[f"stopped.{ended}"] if ended else labels["writing"]
    mean = _mean_bits(writing)
    facts = [state, labels["count"].format(count=len(writing.tokens))]
    facts += [labels["mean_bits"].format(bits=f"{mean:.{1 if mean >= LITTLE else 2}f}")] if mean is not None else []
    # float32 is how weights are published; what differs is worth a word.
    facts += [labels[f"precision.{writing.precision}"]] if writing.precision != "float32" else []
    cursor = "" if ended else tag("span", "▍", class_="cursor")
    prompt, pieces = tag("span", writing.prompt, class_="prompt"), (_token(piece, labels) for piece in writing.pieces)
    return draw_card(
        about,
        tag("p", prompt, *pieces, cursor, class_="surprisal written", dir="auto"),
        tag("p", " · ".join(facts), class_="trust", role="status"),
        _downloads(writing) if ended else "",
        model=writing.model,
        data_stopped=ended,
    )


def _downloads(writing: Writing) -> Markup:
    rows = ((one.token, one.token_id, one.probability, one.rank) for one in writing.tokens)
    columns = ("token", "token_id", "probability", "rank")
    return draw_downloads(f"generate-{writing.model}", columns, rows, model=writing.model, prompt=writing.prompt)


def _token(piece: WrittenPiece, labels: Labels) -> Markup:
    probability = math.prod(token.probability for token in piece.tokens)
    bits = -math.log2(max(probability, 1e-300))
    ranks = ", ".join(f"{token.rank:,}" for token in piece.tokens)
    hint = labels["token_hint"].format(probability=in_percent(probability), bits=f"{bits:.1f}", rank=ranks)
    if len(piece.tokens) > 1:
        hint += " · " + labels["bytes_hint"].format(count=len(piece.tokens), bytes=piece.content)
    look = f"--strength:{min(1.0, bits / FULL_COLOUR_BITS):.2f}"
    # A space would be a stub of colour at the end of a line; alone it is there to be clicked.
    bare = piece.text.lstrip()
    space, shown = (piece.text.removesuffix(bare), bare) if bare else ("", piece.text)
    about = {"role": "button", "tabindex": 0, "data_index": piece.first, "title": hint, "style": bare and look}
    return join(space, tag("span", shown, **about))


def _mean_bits(writing: Writing) -> float | None:
    tokens = writing.tokens
    return -sum(math.log2(max(token.probability, 1e-300)) for token in tokens) / len(tokens) if tokens else None


def draw_size(size: PromptSize, new_tokens: int, labels: Labels) -> Markup:
    """How much of the window the prompt takes, shown before anything runs."""
    room, notes = max(0, size.window - size.tokens), []
    said = labels["size"].format(tokens=f"{size.tokens:,}", window=f"{size.window:,}", room=f"{room:,}")
    if size.tokens >= size.window:  # a new piece needs room
        notes.append(labels["size_full"].format(over=f"{size.tokens - size.window + 1:,}"))
    elif new_tokens > room:
        notes.append(labels["size_short"].format(room=f"{room:,}"))
    if size.ends_with_space:
        notes.append(labels["trailing_space"])
    return join(tag("p", said, class_="trust"), draw_note(*notes))
