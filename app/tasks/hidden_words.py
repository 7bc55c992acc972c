"""Hiding words of a sentence and bringing them back, with what was hidden remembered next to the text."""

from __future__ import annotations

from dataclasses import dataclass

from app.results.expressions.blank import BLANK


@dataclass(frozen=True)
class Hidden:
    """A text with blanks and the words that they hide, in order; an unknown one is empty."""

    text: str = ""
    words: tuple[str, ...] = ()


def hidden_in(text: str, before: Hidden) -> Hidden:
    """What is known of the blanks of a text: all that was, if the text is still the same, else nothing."""
    if before.text == text:
        return before
    return Hidden(text, ("",) * len(BLANK.findall(text)))


def toggle(text: str, start: int, end: int, before: Hidden) -> Hidden:
    """Hide the word at these offsets, or bring back the word that the blank there hides.

    A blank whose word is not known stays.
    """
    known = hidden_in(text, before)
    blanks = list(BLANK.finditer(text))
    at = sum(blank.start() < start for blank in blanks)
    if at < len(blanks) and blanks[at].start() == start:
        word = known.words[at]
        if not word:
            return known
        return Hidden(text[:start] + word + text[end:], known.words[:at] + known.words[at + 1 :])
    return Hidden(text[:start] + "[MASK]" + text[end:], (*known.words[:at], text[start:end], *known.words[at:]))


def ends_with_blank(text: str) -> bool:
    """Does the text end with a blank, without a full stop?"""
    blanks = list(BLANK.finditer(text.rstrip()))
    return bool(blanks) and blanks[-1].end() == len(text.rstrip())


def add_stop(text: str) -> str:
    """The text with a full stop after the blank at its end."""
    return text.rstrip() + "."
