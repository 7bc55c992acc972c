"""Several tokenizers on the same characters: where each piece is, what was unknown, what normalisation changed.

Everything is counted in whole characters as people see them (grapheme clusters), so the byte pieces of an emoji are
shown together above that emoji. Knows texts and pieces; no model is run.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import regex

from app.engine.runtime.vocabulary import ELMO_IDS, Vocabulary, elmo_words, load_vocabulary
from app.engine.text.text_tokenizer import clean
from app.registry.lookup import find
from app.results.attention import Alignment, Piece, PieceGroup, TokenizerRow
from app.results.text import Token
from app.tasks.checks import check_text
from app.tasks.tokenization.tokenize import lost_text

CHARACTER = regex.compile(r"\X")
WORD = regex.compile(r"\S+")
# The name of the row of ELMo's bytes, which needs no checkpoint.
ELMO_BYTES = "elmo"


def align(text: str, rows: list[TokenizerRow]) -> Alignment:
    """Align rows over the text they were made from."""
    return Alignment(text, _blocks(text, rows), rows)


def cut(text: str, model: str = "") -> TokenizerRow:
    """One tokenizer's pieces of a text; `elmo` means ELMo's bytes.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `unknown_model`, `model_unavailable`.
    """
    text = clean(check_text(text))
    if model == ELMO_BYTES:
        return _cut_into_bytes(text)
    checkpoint = find(model, "tokenize", text)
    vocabulary = load_vocabulary(checkpoint)
    encoded = vocabulary.text.encode(text)
    tokens = vocabulary.text.tokens(encoded)
    placed = [
        (token.start, token.end, _piece(token, vocabulary))
        for token in tokens
        if token.start is not None and token.end is not None
    ]
    groups = group(text, placed)
    return TokenizerRow(
        model=checkpoint.name,
        kind=vocabulary.kind,
        vocabulary_size=vocabulary.size,
        groups=groups,
        pieces=len(placed),
        unknown=sum(piece.unknown for _, _, piece in placed),
        added=[token.token for token in tokens if token.start is None],
        changes=_changes(text, groups),
        lost=lost_text(vocabulary.text, text, encoded),
    )


def _piece(token: Token, vocabulary: Vocabulary) -> Piece:
    return Piece(token.token, token.piece, token.token_id, token.token_id == vocabulary.text.unknown_id)


def _cut_into_bytes(text: str) -> TokenizerRow:
    words = elmo_words(text)
    placed = [
        (word.start, word.end, Piece(word.text, " ".join(map(str, word.character_ids)), None, False)) for word in words
    ]
    return TokenizerRow(ELMO_BYTES, "bytes", ELMO_IDS, group(text, placed), len(words), 0, [], [])


def group(text: str, placed: Iterable[tuple[int, int, Piece]]) -> list[PieceGroup]:
    """Pieces with their offsets, grouped if they share a character.

    A piece without characters of its own (SentencePiece's lone space mark) joins the next piece.
    """
    starts, ends = character_bounds(text)
    groups: list[PieceGroup] = []
    waiting: list[Piece] = []
    for start, end, piece in placed:
        if start == end:
            waiting.append(piece)
            continue
        first, last = starts[start], ends[end - 1]
        if groups and first < groups[-1].end:
            before = groups.pop()
            groups.append(PieceGroup(before.start, max(before.end, last), [*before.pieces, *waiting, piece]))
        else:
            groups.append(PieceGroup(first, last, [*waiting, piece]))
        waiting = []
    if waiting and groups:
        groups[-1] = PieceGroup(groups[-1].start, groups[-1].end, [*groups[-1].pieces, *waiting])
    return groups


def character_bounds(text: str) -> tuple[list[int], list[int]]:
    """For each string index, the start and end of the whole character around it."""
    starts, ends = [0] * len(text), [0] * len(text)
    for match in CHARACTER.finditer(text):
        for index in range(*match.span()):
            starts[index], ends[index] = match.span()
    return starts, ends


def _blocks(text: str, rows: list[TokenizerRow]) -> list[tuple[int, int]]:
    """Cut the text at word boundaries unless a piece crosses them; long words where all rows agree."""
    inside = {index for row in rows for group in row.groups for index in range(group.start + 1, group.end)}
    edges = {edge for match in WORD.finditer(text) for edge in match.span()}
    edges |= {edge for row in rows for group in row.groups for edge in (group.start, group.end)}
    cuts = sorted((edges | {0, len(text)}) - inside)
    return list(pairwise(cuts))


def _changes(text: str, groups: list[PieceGroup]) -> list[tuple[str, str]]:
    """Words whose joined pieces spell something else than was written."""
    changes: dict[str, str] = {}
    for match in WORD.finditer(text):
        within = [g for g in groups if match.start() <= g.start and g.end <= match.end()]
        pieces = [piece for g in within for piece in g.pieces]
        if any(piece.unknown or "⟨" in piece.shown or piece.shown in MASKS for piece in pieces):
            continue  # what is unknown was lost, not changed; parts of a character spell nothing
        read = "".join(piece.shown.removeprefix("##") if len(piece.shown) > 2 else piece.shown for piece in pieces)
        if read.strip() != match.group():
            changes.setdefault(match.group(), read.strip())
    return list(changes.items())


MASKS = frozenset({"[MASK]", "<mask>"})
