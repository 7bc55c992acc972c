"""Draws how several tokenizers split the same text: aligned by character, counted, and listed with ids."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from app.results.about import About
from app.results.attention import Alignment, Piece, PieceGroup, TokenizerRow
from app.views.candidates import visible
from app.views.cards import draw_cards
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, details, join, listed, table, tag, tr
from app.views.notes import draw_note

Labels = Mapping[str, str]

# The picture shows this much of a text; counts and tables cover all of it.
DRAWN_CHARACTERS = 1_500
LISTED_PIECES = 600
LISTED_CHARACTERS = 200


def draw_alignment(alignment: Alignment, abouts: Mapping[str, About], labels: Labels) -> Markup:
    """The whole comparison.

    Args:
        alignment: the comparison.
        abouts: what each row's model is.
        labels: sentences in the visitor's language.
    """
    legend = (
        join(tag("span", at + 1, class_=f"swatch row-{at}"), " ", tag("b", abouts[row.model].title), _kind(row, labels))
        for at, row in enumerate(alignment.rows)
    )
    parts = draw_blocks(alignment, labels), draw_counts(alignment.rows, labels), _downloads(alignment)
    picture = tag("section", listed("ul", legend, class_="legend"), *parts, class_="alignment")
    return picture + draw_cards(draw_row(row, abouts[row.model], labels) for row in alignment.rows)


def _kind(row: TokenizerRow, labels: Labels) -> str:
    return f" {labels[f'kind.{row.kind}']}"


def _downloads(alignment: Alignment) -> Markup:
    rows = (
        (row.model, group.start, group.end, piece.shown, piece.raw, piece.token_id, piece.unknown)
        for row in alignment.rows
        for group in row.groups
        for piece in group.pieces
    )
    columns = ("model", "start", "end", "token", "piece", "token_id", "unknown")
    return draw_downloads("tokens", columns, rows, text=alignment.text)


def draw_blocks(alignment: Alignment, labels: Labels) -> Markup:
    """The text in wrapping blocks, each with its characters above one line of pieces per tokenizer."""
    drawn, blocks = [], [block for block in alignment.blocks if block[0] < DRAWN_CHARACTERS]
    for start, end in blocks:
        rows = [[g for g in row.groups if start <= g.start and g.end <= end] for row in alignment.rows]
        if any(rows) or alignment.text[start:end].strip():
            drawn.append(_block(alignment.text[start:end], start, rows, labels))
    cut = len(blocks) < len(alignment.blocks)
    note = draw_note(labels["drawn"].format(count=blocks[-1][1]) if cut else "")
    return note + tag("div", _numbers(len(alignment.rows)), *drawn, class_="blocks", dir=_direction(alignment.text))


def _direction(text: str) -> str | None:
    """The direction of a text, set by its first letter that has one; None if there is no such letter.

    The letters are in separate cells, so a browser cannot see what text they belong to.
    """
    for sign in text:
        kind = unicodedata.bidirectional(sign)
        if kind in ("L", "R", "AL"):
            return "ltr" if kind == "L" else "rtl"
    return None


def _numbers(rows: int) -> Markup:
    """The tokenizers' numbers in the legend, once before the first block, so that not colour alone tells rows apart."""
    named = (tag("span", at + 1, class_=f"swatch row-{at}", style=f"grid-row:{at + 2}") for at in range(rows))
    return tag("div", tag("span", "\u00a0", class_="letter"), *named, class_="numbers", aria_hidden="true")


def _block(text: str, start: int, rows: list[list[PieceGroup]], labels: Labels) -> Markup:
    named = enumerate(text, start=1)
    letters = (tag("span", visible(one), class_="letter", style=f"grid-column:{at}") for at, one in named)
    pieces = (
        _group(group, text[group.start - start : group.end - start], start, number, labels)
        for number, groups in enumerate(rows)
        for group in groups
    )
    # Numbers run from left to right in every script.
    direction = _direction(text) or ("ltr" if any(sign.isdecimal() for sign in text) else None)
    return tag("div", *letters, *pieces, class_="block", dir=direction)


def _group(group: PieceGroup, source: str, start: int, number: int, labels: Labels) -> Markup:
    place = f"grid-column:{group.start - start + 1} / span {group.end - group.start};grid-row:{number + 2}"
    kind = f"piece row-{number}{' unknown' if any(piece.unknown for piece in group.pieces) else ''}"
    count = tag("small", f"×{len(group.pieces)}") if len(group.pieces) > 1 else ""
    return tag("span", shown(group, source), count, class_=kind, style=place, tabindex=0, title=hint(group, labels))


def shown(group: PieceGroup, source: str) -> str:
    """One piece as it is; several pieces of the same character as that character, never as broken bytes."""
    return visible(group.pieces[0].shown) if len(group.pieces) == 1 else visible(source)


def hint(group: PieceGroup, labels: Labels) -> str:
    """All pieces of a group with their ids."""
    return "\n".join(
        labels["hint.bytes"].format(ids=piece.raw)
        if piece.token_id is None
        else labels["hint"].format(piece=visible(piece.shown), id=piece.token_id)
        for piece in group.pieces
    )


def draw_counts(rows: list[TokenizerRow], labels: Labels) -> Markup:
    """How many pieces each tokenizer needs, and the size of its vocabulary."""
    counts = (
        (row.model, f"{row.vocabulary_size:,}", f"{row.pieces:,}", f"{row.unknown:,}", " ".join(row.added) or "—")
        for row in rows
    )
    return table([labels[key] for key in ("model", "vocabulary", "pieces", "unknown", "added")], counts)


def draw_row(row: TokenizerRow, about: About, labels: Labels) -> Markup:
    """One tokenizer: its changes to the text, and its pieces with their ids."""
    changes = [join(tag("span", before), " → ", tag("b", after or "∅")) for before, after in row.changes[:30]]
    changed = tag("h4", labels["changed"]) + listed("ul", changes, class_="changes") if changes else ""
    pieces = [piece for group in row.groups for piece in group.pieces]
    more = len(pieces) - LISTED_PIECES
    rest = draw_note(labels["listed"].format(count=more) if more > 0 else "")
    folded = details(labels["table"], rest, _table(pieces[:LISTED_PIECES], labels))
    return draw_card(about, tag("p", labels[f"about.{row.kind}"]), _lost(row, labels), changed, folded)


def _lost(row: TokenizerRow, labels: Labels) -> Markup:
    characters = " ".join(part.text for part in row.lost)[:LISTED_CHARACTERS]
    return draw_note(labels["lost"].format(characters=characters) if row.lost else "")


def _table(pieces: list[Piece], labels: Labels) -> Markup:
    rows = (tr(visible(one.shown), tag("code", one.raw), _id(one), class_=one.unknown and "unknown") for one in pieces)
    return table((labels["token"], labels["piece"], labels["id"]), rows)


def _id(piece: Piece) -> str | int:
    return "" if piece.token_id is None else piece.token_id
