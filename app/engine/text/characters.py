"""Whole characters out of tokens: a byte-level vocabulary may cut an emoji or a Chinese character into several pieces.

What is shown is never half a character, and never the replacement sign: pieces are held back until their bytes are
whole, and bytes that cannot become a character are written in hex, e.g. `⟨F0 9F⟩`.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.text.pieces import show_bytes
from app.engine.text.text_tokenizer import TextTokenizer

# No character of UTF-8 is longer.
LONGEST_CHARACTER = 4


@dataclass(frozen=True)
class Characters:
    """Neighbouring tokens that together are whole characters: mostly one token."""

    start: int  # index of the first token
    end: int  # after the last
    text: str
    content: bytes


class CharacterStream:
    """Takes tokens one by one and gives back whole characters.

    Args:
        text: the tokenizer that the tokens are of.
    """

    def __init__(self, text: TextTokenizer) -> None:
        self._text = text
        self._start = self._end = 0
        self._held = b""

    def add(self, token_id: int) -> list[Characters]:
        """What became whole with this token: nothing, its characters, or given-up bytes and then its characters."""
        content = self._text.content(token_id)
        given_up = self.end() if self._held and not _may_become_whole(self._held + content) else []
        self._end += 1
        self._held += content
        return given_up if self._held and _is_incomplete(self._held) else [*given_up, *self.end()]

    def end(self) -> list[Characters]:
        """What is still held back, as it is."""
        if self._start == self._end:
            return []
        made = Characters(self._start, self._end, show_content(self._held), self._held)
        self._start, self._held = self._end, b""
        return [made]


def show_content(content: bytes) -> str:
    """Bytes as text, those that are no character in hex; neighbours share their brackets."""
    parts: list[str] = []
    unreadable = b""
    while content:
        size = _first_character(content)
        if size:
            parts += [show_bytes(unreadable)] * bool(unreadable) + [show_bytes(content[:size])]
            unreadable = b""
        else:
            unreadable += content[:1]
        content = content[size or 1 :]
    return "".join([*parts, *[show_bytes(unreadable)] * bool(unreadable)])


def _first_character(content: bytes) -> int:
    """How many bytes the first character has; 0 where the bytes do not begin with one."""
    for size in range(1, min(LONGEST_CHARACTER, len(content)) + 1):
        try:
            content[:size].decode("utf-8")
        except UnicodeDecodeError:
            continue
        return size
    return 0


def _is_incomplete(content: bytes) -> bool:
    """Valid up to a last character that is cut off."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and error.end == len(content)
    return False


def _may_become_whole(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return _is_incomplete(content)
    return True
