"""Draws several tokenizers over the same text: aligned character by character, counted, and listed with their ids."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from html import escape

from app.results.about import About
from app.results.attention import Alignment, Piece, PieceGroup, TokenizerRow
from app.views.candidates import visible
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading

Labels = Mapping[str, str]

# The picture shows so much of a text; counts and tables are about all of it.
DRAWN_CHARACTERS = 1_500
LISTED_PIECES = 600
LISTED_CHARACTERS = 200


def draw_alignment(alignment: Alignment, abouts: Mapping[str, About], labels: Labels) -> str:
    """The whole comparison.

    Args:
        alignment: what to draw.
        abouts: per row's model, what it is.
        labels: sentences in the visitor's language.
    """
    legend = "".join(
        f"<li><span class='swatch row-{number}'>{number + 1}</span> <b>{escape(abouts[row.model].title)}</b> "
        f"{escape(labels['kind.' + row.kind])}</li>"
        for number, row in enumerate(alignment.rows)
    )
    cards = "".join(draw_row(row, abouts[row.model], labels) for row in alignment.rows)
    return (
        f"<section class='alignment'><ul class='legend'>{legend}</ul>{draw_blocks(alignment, labels)}"
        f"{draw_counts(alignment.rows, labels)}{_downloads(alignment)}</section><div class='answers'>{cards}</div>"
    )


def _downloads(alignment: Alignment) -> str:
    rows = (
        (row.model, group.start, group.end, piece.shown, piece.raw, piece.token_id, piece.unknown)
        for row in alignment.rows
        for group in row.groups
        for piece in group.pieces
    )
    columns = ("model", "start", "end", "token", "piece", "token_id", "unknown")
    return draw_downloads("tokens", columns, rows, text=alignment.text)


def draw_blocks(alignment: Alignment, labels: Labels) -> str:
    """The text in blocks that wrap; in each, the characters above and one line of pieces per tokenizer."""
    drawn, blocks = [], [block for block in alignment.blocks if block[0] < DRAWN_CHARACTERS]
    for start, end in blocks:
        rows = [[g for g in row.groups if start <= g.start and g.end <= end] for row in alignment.rows]
        if any(rows) or alignment.text[start:end].strip():
            drawn.append(_block(alignment.text[start:end], start, rows, labels))
    cut = len(blocks) < len(alignment.blocks)
    note = f"<p class='note'>{escape(labels['drawn'].format(count=blocks[-1][1]))}</p>" if cut else ""
    return f"{note}<div class='blocks'{_direction(alignment.text)}>{''.join(drawn)}</div>"


def _direction(text: str) -> str:
    """The attribute for the direction of a text, by its first letter that has one; nothing without such a letter.

    The letters stand in cells of their own, in which a browser cannot see what they are a part of.
    """
    for sign in text:
        kind = unicodedata.bidirectional(sign)
        if kind in ("L", "R", "AL"):
            return f" dir='{'ltr' if kind == 'L' else 'rtl'}'"
    return ""


def _block(text: str, start: int, rows: list[list[PieceGroup]], labels: Labels) -> str:
    letters = "".join(
        f"<span class='letter' style='grid-column:{at}'>{escape(visible(letter))}</span>"
        for at, letter in enumerate(text, start=1)
    )
    pieces = "".join(
        _group(group, text[group.start - start : group.end - start], start, number, labels)
        for number, groups in enumerate(rows)
        for group in groups
    )
    # Numbers run from left to right in every script.
    direction = _direction(text) or (" dir='ltr'" if any(sign.isdecimal() for sign in text) else "")
    return f"<div class='block'{direction}>{letters}{pieces}</div>"


def _group(group: PieceGroup, source: str, start: int, number: int, labels: Labels) -> str:
    columns = f"{group.start - start + 1} / span {group.end - group.start}"
    unknown = " unknown" if any(piece.unknown for piece in group.pieces) else ""
    count = f"<small>×{len(group.pieces)}</small>" if len(group.pieces) > 1 else ""
    return (
        f"<span class='piece row-{number}{unknown}' style='grid-column:{columns};grid-row:{number + 2}' tabindex='0' "
        f"title='{escape(hint(group, labels))}'>{escape(shown(group, source))}{count}</span>"
    )


def shown(group: PieceGroup, source: str) -> str:
    """One piece as it is; several over the same character as that character: never as broken bytes."""
    return visible(group.pieces[0].shown) if len(group.pieces) == 1 else visible(source)


def hint(group: PieceGroup, labels: Labels) -> str:
    """All pieces of a group with their ids."""
    return "\n".join(
        labels["hint.bytes"].format(ids=piece.raw)
        if piece.token_id is None
        else labels["hint"].format(piece=visible(piece.shown), id=piece.token_id)
        for piece in group.pieces
    )


def draw_counts(rows: list[TokenizerRow], labels: Labels) -> str:
    """How many pieces each tokenizer needs, out of how large a vocabulary."""
    body = "".join(
        f"<tr><td>{escape(row.model)}</td><td>{row.vocabulary_size:,}</td><td>{row.pieces:,}</td>"
        f"<td>{row.unknown:,}</td><td>{escape(' '.join(row.added)) or '—'}</td></tr>"
        for row in rows
    )
    head = "".join(f"<th>{escape(labels[key])}</th>" for key in ("model", "vocabulary", "pieces", "unknown", "added"))
    return f"<div class='scroll'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def draw_row(row: TokenizerRow, about: About, labels: Labels) -> str:
    """One tokenizer: what it changed, and its pieces with their ids."""
    changes = "".join(
        f"<li><span>{escape(before)}</span> → <b>{escape(after) or '∅'}</b></li>" for before, after in row.changes[:30]
    )
    changed = f"<h4>{escape(labels['changed'])}</h4><ul class='changes'>{changes}</ul>" if changes else ""
    pieces = [piece for group in row.groups for piece in group.pieces]
    more = len(pieces) - LISTED_PIECES
    rest = f"<p class='note'>{escape(labels['listed'].format(count=more))}</p>" if more > 0 else ""
    return (
        f"<article class='answer'>{draw_heading(about)}"
        f"<p>{escape(labels['about.' + row.kind])}</p>{_lost(row, labels)}{changed}"
        f"<details><summary>{escape(labels['table'])}</summary>{rest}<div class='scroll'>"
        f"{_table(pieces[:LISTED_PIECES], labels)}</div></details></article>"
    )


def _lost(row: TokenizerRow, labels: Labels) -> str:
    if not row.lost:
        return ""
    characters = " ".join(part.text for part in row.lost)[:LISTED_CHARACTERS]
    return f"<p class='note'>{escape(labels['lost'].format(characters=characters))}</p>"


def _table(pieces: list[Piece], labels: Labels) -> str:
    body = "".join(
        f"<tr{' class=unknown' if piece.unknown else ''}><td>{escape(visible(piece.shown))}</td>"
        f"<td><code>{escape(piece.raw)}</code></td><td>{'' if piece.token_id is None else piece.token_id}</td></tr>"
        for piece in pieces
    )
    head = "".join(f"<th>{escape(labels[key])}</th>" for key in ("token", "piece", "id"))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
