"""Visitors' text to token ids and back, with character offsets that fit what the visitor sent.

Wraps a fast tokenizer of transformers. Two things differ from calling it directly: every spelling of a blank becomes
this tokenizer's mask token, and other special tokens that a visitor types (`[SEP]`, `</s>`) are ordinary text.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tokenizers import Encoding, Tokenizer

from app.engine.text.pieces import Pieces, read_pieces
from app.errors import PlaygroundError
from app.results.expressions.blank import BLANK
from app.results.text import Token

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
# A visitor cannot type this: it is removed or kept apart by every normaliser, and no vocabulary has it.
UNTYPEABLE = "\x00"


@dataclass(frozen=True)
class Encoded:
    """A text, or a pair, as a model reads it. All lists run over its tokens."""

    input_ids: list[int]
    token_type_ids: list[int]
    offsets: list[tuple[int, int] | None]  # None for special tokens that the model adds
    sequence_ids: list[int | None]  # 0 first text, 1 second, None special
    mask_indices: list[int]

    def span(self, index: int) -> tuple[int, int]:
        """The span of a token in the text itself.

        Raises:
            IndexError: the model added the token.
        """
        at = self.offsets[index]
        if at is None:
            raise IndexError(f"token {index} stands for no part of the text")
        return at


@dataclass(frozen=True)
class EncodedPair:
    """Two texts as one sequence; `token_type_ids` are always built here, as ALBERT's tokenizer omits them."""

    input_ids: list[int]
    token_type_ids: list[int]  # 0 up to the first separator, 1 after it


def clean(text: str) -> str:
    """The text with lone surrogates, which no encoding can hold, as U+FFFD; offsets stay as they are."""
    return LONE_SURROGATE.sub("\ufffd", text)


class TextTokenizer:
    """A checkpoint's tokenizer for visitors' text.

    Args:
        tokenizer: the checkpoint's own.
        rows: how many pieces the model has vectors for; None where only the tokenizer was loaded.
        segments: how many it tells apart (RoBERTa: one); None as above.
    """

    def __init__(
        self, tokenizer: PreTrainedTokenizerFast, rows: int | None = None, segments: int | None = None
    ) -> None:
        self._rows, self._segments = rows, segments
        self.tokenizer = tokenizer
        self.mask_token: str | None = tokenizer.mask_token
        self.mask_id: int | None = tokenizer.mask_token_id
        self.unknown_id: int | None = tokenizer.unk_token_id
        self.pad_id: int = tokenizer.pad_token_id if self._has_vector(tokenizer.pad_token_id) else 0
        self.begin_id: int | None = tokenizer.bos_token_id if self._has_vector(tokenizer.bos_token_id) else None
        self.end_id: int | None = tokenizer.eos_token_id
        self.special_ids: frozenset[int] = frozenset(tokenizer.all_special_ids)
        self._backend = text_only_backend(tokenizer.backend_tokenizer, tokenizer.mask_token)

    def encode(self, text: str, second: str | None = None, *, add_special_tokens: bool = True) -> Encoded:
        """Encode a text or a pair; blanks become the mask token where the model has one."""
        shown = [_Blanked(clean(part), self.mask_token) for part in (text, second) if part is not None]
        pair = shown[1].text if len(shown) > 1 else None
        encoding = self._backend.encode(shown[0].text, pair, add_special_tokens=add_special_tokens)
        offsets: list[tuple[int, int] | None] = []
        for sequence, span in zip(encoding.sequence_ids, encoding.offsets, strict=True):
            offsets.append(None if sequence is None else shown[sequence].original(*span))
        masks = [
            index
            for index, (token_id, sequence) in enumerate(zip(encoding.ids, encoding.sequence_ids, strict=True))
            if token_id == self.mask_id and sequence is not None and self.mask_id is not None
        ]
        ids, types = self._checked(encoding)
        return Encoded(ids, types, offsets, list(encoding.sequence_ids), masks)

    def prompt(self, text: str) -> Encoded:
        """A text to be continued: with the special tokens that precede it, without those that follow."""
        encoded = self.encode(text)
        sides = encoded.sequence_ids
        end = max((index + 1 for index, side in enumerate(sides) if side is not None), default=0)
        kept = (encoded.input_ids[:end], encoded.token_type_ids[:end], encoded.offsets[:end], sides[:end])
        return Encoded(*kept, encoded.mask_indices)

    def part(self, text: str) -> Encoding:
        """A text cut into pieces once, to be put into any number of pairs."""
        return self._backend.encode(_Blanked(clean(text), self.mask_token).text, add_special_tokens=False)

    def pair(self, first: Encoding, second: Encoding) -> EncodedPair:
        """Two parts as the model reads a pair."""
        return EncodedPair(*self._checked(self._backend.post_process(first, second)))

    def fit(self, text: str, second: str | None, limit: int) -> tuple[EncodedPair, bool]:
        """A text or a pair in at most `limit` tokens, cut as transformers' `longest_first` does; was it cut?"""
        parts = [self.part(one) for one in (text, second) if one is not None]
        room = limit - self._backend.num_special_tokens_to_add(len(parts) == 2)
        kept = longest_first([len(part.ids) for part in parts], room)
        short = any(count < len(part.ids) for count, part in zip(kept, parts, strict=True))
        for count, part in zip(kept, parts, strict=True):
            part.truncate(count)
        joined = self._backend.post_process(parts[0], parts[1] if len(parts) > 1 else None)
        return EncodedPair(*self._checked(joined)), short

    def _has_vector(self, token_id: int | None) -> bool:
        return token_id is not None and (self._rows is None or token_id < self._rows)

    def _checked(self, encoding: Encoding) -> tuple[list[int], list[int]]:
        """Ids and segments as the model takes them.

        Raises:
            PlaygroundError: `bad_value`, a piece was added to the vocabulary and the model has no vector for it.
        """
        for token_id in encoding.ids:
            if not self._has_vector(token_id):
                raise PlaygroundError("bad_value", "no_vector", piece=self.piece(token_id))
        most = len(encoding.ids) if self._segments is None else self._segments - 1
        return list(encoding.ids), [min(segment, most) for segment in encoding.type_ids]

    def tokens(self, encoded: Encoded) -> list[Token]:
        """The tokens as results show them."""
        pairs = zip(encoded.input_ids, encoded.offsets, strict=True)
        return [
            Token(
                token=self.show(token_id),
                piece=self.piece(token_id),
                token_id=token_id,
                start=None if offsets is None else offsets[0],
                end=None if offsets is None else offsets[1],
                special=offsets is None or index in encoded.mask_indices,
            )
            for index, (token_id, offsets) in enumerate(pairs)
        ]

    def piece(self, token_id: int) -> str:
        """The tokenizer's raw string of an id."""
        return self.tokenizer.convert_ids_to_tokens(token_id) or ""

    def show(self, token_id: int) -> str:
        """A piece as a person reads it: a leading space kept as a space, bytes that are no whole character in hex."""
        piece = self.piece(token_id)
        return piece if token_id in self.special_ids else self._pieces.show(piece)

    def content(self, token_id: int) -> bytes:
        """The bytes that a piece encodes: perhaps only a part of a character."""
        piece = self.piece(token_id)
        if token_id in self.special_ids:
            return f"{' ' * self._pieces.apart}{piece}".encode("utf-8", "replace")
        return self._pieces.content(piece)

    @property
    def mask(self) -> int:
        """The mask token's id, for a model that has one.

        Raises:
            LookupError: it has none.
        """
        if self.mask_id is None:
            raise LookupError("this tokenizer has no mask token")
        return self.mask_id

    @property
    def kind(self) -> str:
        """The algorithm that cuts with this vocabulary."""
        return self._pieces.kind

    @cached_property
    def _pieces(self) -> Pieces:
        return read_pieces(json.loads(self.tokenizer.backend_tokenizer.to_str()))

    def lost(self, text: str, encoded: Encoded) -> list[tuple[int, int]]:
        """Stretches of a text that no token covers, though its normalizer keeps them."""
        covered = {index for span in encoded.offsets if span is not None for index in range(*span)}
        shown = clean(text)
        found: list[tuple[int, int]] = []
        for index in range(len(shown)):
            if index in covered or not self._counts(shown, index):
                continue
            if found and found[-1][1] == index:
                found[-1] = (found[-1][0], index + 1)
            else:
                found.append((index, index + 1))
        return found

    def _counts(self, text: str, index: int) -> bool:
        """Does a character without a token have a meaning of its own, apart from the one before it?"""
        character = text[index]
        if unicodedata.category(character)[0] in "CMZ" or character.isspace():
            return False
        normalizer = self._backend.normalizer
        if normalizer is None:
            return True
        before = text[index - 1 : index]
        alone, joined = normalizer.normalize_str(character), normalizer.normalize_str(before + character)
        return bool(alone.strip()) and joined == normalizer.normalize_str(before) + alone


def text_only_backend(backend: Tokenizer, mask_token: str | None) -> Tokenizer:
    """A copy of the tokenizer for which the mask token is the only special token that text can name.

    The others get a name there that cannot be typed, as added tokens and as the ordinary entries that typed text would
    match in a vocabulary of whole words or of SentencePiece. Ids stay as they are. A limit or padding that the file
    sets is dropped: nothing may be cut off unseen.
    """
    content = json.loads(backend.to_str()) | {"truncation": None, "padding": None}
    control = {token["content"] for token in content["added_tokens"] if token["special"]} - {mask_token}
    model = content["model"]
    if model["type"] == "Unigram":
        within = control & {piece for piece, _ in model["vocab"]}
        model["vocab"] = [[_untypeable(piece, control), score] for piece, score in model["vocab"]]
    else:
        within = control & model["vocab"].keys()
    # BPE reaches an entry only through its merges, unless it is set to look whole words up.
    if model["type"] in ("WordLevel", "WordPiece") or model.get("ignore_merges"):
        model["vocab"] = {_untypeable(piece, control): token_id for piece, token_id in model["vocab"].items()}
        model["unk_token"] = _untypeable(model["unk_token"], control)
    # Added tokens that no vocabulary has are numbered in their order: none of these may be left out.
    content["added_tokens"] = [
        token | {"special": False, "content": _untypeable(token["content"], control)}
        for token in content["added_tokens"]
        if token["content"] not in within
    ]
    return Tokenizer.from_str(json.dumps(content))


def _untypeable(piece: str, control: set[str]) -> str:
    return UNTYPEABLE + piece if piece in control else piece


def longest_first(lengths: list[int], room: int) -> list[int]:
    """How many tokens of one or two parts are kept: the longer part gives first, then both alike."""
    if sum(lengths) <= room or len(lengths) == 1:
        return [min(length, room) for length in lengths]
    shorter = min(lengths)
    if 2 * shorter <= room:
        rest = room - shorter
        return [shorter, rest] if lengths[0] <= lengths[1] else [rest, shorter]
    half, whole = room // 2, room - room // 2
    return [half, whole] if lengths[0] <= lengths[1] else [whole, half]


class _Blanked:
    """A text with its blanks written as the mask token, and the way back to the caller's offsets."""

    def __init__(self, text: str, mask_token: str | None) -> None:
        self.blanks: list[tuple[int, int, int, int]] = []  # start and end here, start and end in the caller's text
        sign = mask_token or ""
        parts: list[str] = []
        here, last = 0, 0
        for match in BLANK.finditer(text) if sign else ():
            parts += [text[last : match.start()], sign]
            here += match.start() - last
            self.blanks.append((here, here + len(sign), match.start(), match.end()))
            here, last = here + len(sign), match.end()
        self.text = "".join([*parts, text[last:]])

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the caller's text; surrounding space left out, a mask token as its whole blank."""
        while start < end - 1 and self.text[start].isspace():
            start += 1
        shift = 0
        for blank_start, blank_end, original_start, original_end in self.blanks:
            if start >= blank_end:
                shift = original_end - blank_end
            elif end > blank_start:
                return original_start, original_end
        return start + shift, end + shift
