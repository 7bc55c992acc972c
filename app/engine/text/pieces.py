"""How a vocabulary writes bytes, spaces and parts of words, read from the tokenizer's own pipeline.

One piece at a time: `tokenizer.decode` of transformers joins pieces and drops the space at a text's start, which what
is written after a prompt must keep.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

# SentencePiece writes a byte that has no piece of its own so.
BYTE_PIECE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
SENTENCEPIECE_SPACE = "▁"
# Kinds of vocabulary, as the Tokens tab names them.
KINDS = {"WordPiece": "wordpiece", "Unigram": "sentencepiece", "WordLevel": "word_level"}


@dataclass(frozen=True)
class Pieces:
    """The pieces of one vocabulary.

    Attributes:
        kind: the algorithm that cuts with it.
        byte_level: each character of a piece encodes a byte, as in GPT-2.
        byte_fallback: pieces such as `<0xE7>` encode a byte.
        spaces: characters that represent a space.
        inner: what a piece inside a word begins with; empty where nothing marks it.
        apart: pieces are words that a space separates.
    """

    kind: str
    byte_level: bool
    byte_fallback: bool
    spaces: tuple[str, ...]
    inner: str
    apart: bool

    def show(self, piece: str) -> str:
        """A piece as a person reads it: spaces as spaces, bytes that are no whole character in hex."""
        if self.byte_level or self._is_byte(piece):
            return show_bytes(self._bytes(piece))
        return self._with_spaces(piece)

    def content(self, piece: str) -> bytes:
        """The bytes that a piece encodes inside a text: perhaps only a part of a character."""
        if self.byte_level or self._is_byte(piece):
            return self._bytes(piece)
        if self.inner and piece.startswith(self.inner):
            return piece.removeprefix(self.inner).encode("utf-8", "replace")
        # Chinese characters are words of their own, and no space separates them.
        if self.apart or (self.inner and piece[:1].isascii()):
            piece = f" {piece}"
        return self._with_spaces(piece).encode("utf-8", "replace")

    def _is_byte(self, piece: str) -> bool:
        return self.byte_fallback and BYTE_PIECE.fullmatch(piece) is not None

    def _bytes(self, piece: str) -> bytes:
        if self.byte_level:
            return bytes(BYTE_OF[sign] for sign in piece if sign in BYTE_OF)
        return bytes([int(piece[3:5], 16)])

    def _with_spaces(self, piece: str) -> str:
        for sign in self.spaces:
            piece = piece.replace(sign, " ")
        return piece


def read_pieces(pipeline: dict[str, Any]) -> Pieces:
    """How the pieces of a tokenizer are written.

    Args:
        pipeline: the content of its `tokenizer.json`. Without a decoder, its pre-tokenizer tells what a space is.
    """
    model, decoders = pipeline["model"], _parts(pipeline.get("decoder"))
    steps = decoders or _parts(pipeline.get("pre_tokenizer"))
    types = {step["type"] for step in steps}
    named, byte_level, fallback = model["type"], "ByteLevel" in types, "ByteFallback" in types
    spaces = tuple(sign for step in steps if (sign := _space(step)))
    inner = next((step["prefix"] for step in decoders if step["type"] == "WordPiece"), "")
    if named == "WordPiece" and not decoders:
        inner = model["continuing_subword_prefix"]
    if named in KINDS:
        kind = KINDS[named]
    else:
        kind = "byte_bpe" if byte_level else "sentencepiece_bpe" if SENTENCEPIECE_SPACE in spaces else "bpe"
    return Pieces(kind, byte_level, fallback, spaces, inner, not decoders and not (byte_level or spaces or inner))


def _parts(step: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The steps of a pipeline's part, sequences taken apart."""
    if step is None:
        return []
    if step["type"] != "Sequence":
        return [step]
    inside = next(value for value in step.values() if isinstance(value, list))
    return [part for one in inside for part in _parts(one)]


def _space(step: dict[str, Any]) -> str:
    """What a step turns into a space; nothing for most."""
    if step["type"] == "Metaspace":
        return step["replacement"]
    if step["type"] == "BPEDecoder":  # GPT (2018) marks where a word ends instead of where it begins
        return step["suffix"]
    if step["type"] == "Replace" and step["content"] == " ":
        return step["pattern"].get("String", "")
    return ""


def _byte_table() -> dict[str, int]:
    """GPT-2's byte-level alphabet inverted: from each character to the byte that it encodes (Radford et al. 2019)."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in printable]
    table = {chr(byte): byte for byte in printable}
    return table | {chr(256 + index): byte for index, byte in enumerate(others)}


BYTE_OF = _byte_table()


def show_bytes(content: bytes) -> str:
    """UTF-8 bytes as text; a part of a character as its bytes in hex, e.g. `⟨F0 9F⟩`, never as a replacement sign."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return in_hex(content)
    # Texts on the web are full of replacement signs, so vocabularies have a piece for it.
    return text.replace("\ufffd", in_hex("\ufffd".encode()))


def in_hex(content: bytes) -> str:
    """Bytes that are no whole character, as a person may read them."""
    return f"⟨{content.hex(' ').upper()}⟩"
