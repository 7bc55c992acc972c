"""Fits a long text into a model's window so that all its masks are inside."""

from __future__ import annotations

from app.engine.text.text_tokenizer import Encoded
from app.errors import PlaygroundError
from app.results.text import Window


def fit_window(encoded: Encoded, max_tokens: int) -> tuple[Encoded, Window | None]:
    """The text as it is, or the part around its masks with the range of characters in that part.

    Raises:
        PlaygroundError: `too_long`, the masks are further apart than the window is wide.
    """
    if len(encoded.input_ids) <= max_tokens:
        return encoded, None
    body = [index for index, span in enumerate(encoded.offsets) if span is not None]
    room = max_tokens - (len(encoded.input_ids) - len(body))
    first, last = encoded.mask_indices[0], encoded.mask_indices[-1]
    needed = last - first + 1
    if needed > room:
        raise PlaygroundError("too_long", "masks_apart", count=needed, limit=room)
    start = max(body[0], min(first - (room - needed) // 2, body[-1] + 1 - room))
    kept = [*range(body[0]), *range(start, start + room), *range(body[-1] + 1, len(encoded.input_ids))]
    part = Encoded(
        [encoded.input_ids[index] for index in kept],
        [encoded.token_type_ids[index] for index in kept],
        [encoded.offsets[index] for index in kept],
        [encoded.sequence_ids[index] for index in kept],
        [place for place, index in enumerate(kept) if index in set(encoded.mask_indices)],
    )
    return part, Window(encoded.span(start)[0], encoded.span(start + room - 1)[1])
