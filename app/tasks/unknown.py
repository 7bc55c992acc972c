"""The parts of a text a model does not know: they became its one unknown piece, or no piece covers them.

An answer about such a text is about something else, so the page shows which parts were not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from app.engine.base import Classifier, TokenEncoder, TokensOfText
from app.engine.text.text_tokenizer import Encoded, TextTokenizer
from app.results.text import Unknown

Span = tuple[int, int]
WORD = re.compile(r"\w+(?:['’-]\w+)*")


def unknown_of(tokenizer: TextTokenizer, encoded: Encoded, *texts: str) -> list[Unknown]:
    """The unknown parts of a text, or of both texts of a pair, with their places in the texts as sent."""
    found = []
    for side, text in enumerate(texts):
        own = [at if number == side else None for at, number in zip(encoded.offsets, encoded.sequence_ids, strict=True)]
        pieces = zip(encoded.input_ids, own, strict=True)
        spans = [at for token_id, at in pieces if at is not None and token_id == tokenizer.unknown_id]
        spans += tokenizer.lost(text, replace(encoded, offsets=own))
        found += [Unknown(start, end, text[start:end], side) for start, end in _joined(spans, text)]
    return found


def unknown_in(tokenizer: TextTokenizer, *texts: str) -> list[Unknown]:
    """The unknown parts of texts that a model reads separately."""
    found = []
    for number, text in enumerate(texts):
        found += [replace(one, sentence=number) for one in unknown_of(tokenizer, tokenizer.encode(text), text)]
    return found


def unknown_to(encoder: TokenEncoder, rows: Iterable[TokensOfText], texts: Iterable[str]) -> list[Unknown]:
    """The same for texts that an encoder reads: ELMo knows all characters, static vectors skip words."""
    found = []
    for number, (row, text) in enumerate(zip(rows, texts, strict=True)):
        found += [replace(part, sentence=number) for part in unknown_in_row(encoder, row, text)]
    return found


def unknown_in_row(reader: TokenEncoder | Classifier, row: TokensOfText, *texts: str) -> list[Unknown]:
    """The same for one text, or for a pair if the model reads pairs."""
    if isinstance(row, Encoded) and reader.text is not None:
        return unknown_of(reader.text, row, *texts)
    read, text = [at for at in row.offsets if at is not None], texts[0]
    words = [match.span() for match in WORD.finditer(text)]
    missing = [(a, b) for a, b in words if not any(start < b and a < end for start, end in read)]
    return [Unknown(start, end, text[start:end]) for start, end in _joined(missing, text)]


def _joined(spans: Iterable[Span], text: str) -> list[Span]:
    """Merge parts with only spaces between them."""
    joined: list[Span] = []
    for start, end in sorted(set(spans)):
        if joined and (start <= joined[-1][1] or not text[joined[-1][1] : start].strip()):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return joined
