"""A question with its passage, cut into windows that overlap where both are longer than a model reads."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.text.text_tokenizer import Encoded, TextTokenizer
from app.errors import PlaygroundError

Span = tuple[int, int]


@dataclass(frozen=True)
class PassageWindow:
    """A question with a part of its passage, as a model reads the pair. Lists run over the tokens of `encoded`."""

    encoded: Encoded
    words: list[Span | None]  # the word of the passage that a token is a piece of; None for tokens outside the passage


def passage_windows(
    tokenizer: TextTokenizer, question: str, passage: str, limit: int, shared: int
) -> list[PassageWindow]:
    """The windows, the same that a fast tokenizer makes with `truncation="only_second"` and `stride`.

    Args:
        tokenizer: of the model.
        question: read whole in each window.
        passage: offsets are characters of it.
        limit: most tokens of a window.
        shared: number of tokens that two neighbouring parts of the passage have in common.

    Raises:
        PlaygroundError: `empty_text`, nothing of a text is left to be read; `too_long`, the question leaves no room.
    """
    whole = tokenizer.encode(question, passage)
    for side, field in ((0, "question"), (1, "passage")):
        if side not in whole.sequence_ids:
            raise PlaygroundError("empty_text", field=field)
    inside = [place for place, side in enumerate(whole.sequence_ids) if side == 1]
    first, behind = inside[0], inside[-1] + 1
    words: list[Span | None] = [None] * len(whole.input_ids)
    words[first:behind] = _words(tokenizer, passage, whole.offsets[first:behind])
    room, count = limit - (len(words) - len(inside)), len(inside)
    if count > room and room <= shared:
        asked = whole.sequence_ids.count(0)
        raise PlaygroundError("too_long", "question", count=asked, limit=max(0, asked + room - shared - 1))
    if count <= room:
        return [_window(whole, words, first, behind, first, behind)]
    starts = range(first, behind - shared, room - shared)
    return [_window(whole, words, first, behind, start, min(start + room, behind)) for start in starts]


def _window(whole: Encoded, words: list[Span | None], first: int, behind: int, start: int, end: int) -> PassageWindow:
    """What comes before the passage, a part of it, what comes after it."""
    kept = [*range(first), *range(start, end), *range(behind, len(words))]
    encoded = Encoded(
        [whole.input_ids[place] for place in kept],
        [whole.token_type_ids[place] for place in kept],
        [whole.offsets[place] for place in kept],
        [whole.sequence_ids[place] for place in kept],
        [],
    )
    return PassageWindow(encoded, [words[place] for place in kept])


def _words(tokenizer: TextTokenizer, passage: str, offsets: list[Span | None]) -> list[Span]:
    """For each token of the passage, from where to where its word goes, as the tokenizer itself cuts words."""
    numbers = tokenizer.part(passage).word_ids
    spans: dict[int | None, Span] = {}
    for number, at in zip(numbers, offsets, strict=True):
        start, end = at or (0, 0)
        low, high = spans.get(number, (start, end))
        spans[number] = min(low, start), max(high, end)
    return [spans[number] for number in numbers]
