"""A sentence with one blank, which moves from word to word."""

from __future__ import annotations

from app.results.expressions.blank import BLANK
from app.tasks.hidden_words import Hidden, toggle


def hide_another(start: int, end: int, before: Hidden) -> Hidden:
    """Hide the word at these offsets instead of the hidden one; a click on the blank itself changes nothing."""
    (blank,) = BLANK.finditer(before.text)
    if start == blank.start():
        return before
    whole = toggle(before.text, blank.start(), blank.end(), before)
    moved = len(whole.text) - len(before.text) if start > blank.start() else 0
    return toggle(whole.text, start + moved, end + moved, whole)
