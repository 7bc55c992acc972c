"""Streams a whole text as pages read it, token by token."""

from __future__ import annotations

from collections.abc import Iterable

from app.engine.text.characters import Characters, CharacterStream
from app.engine.text.text_tokenizer import TextTokenizer


def whole_characters(text: TextTokenizer, token_ids: Iterable[int]) -> list[Characters]:
    """All tokens as whole characters."""
    stream = CharacterStream(text)
    return [*(made for token_id in token_ids for made in stream.add(token_id)), *stream.end()]
