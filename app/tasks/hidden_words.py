"""Hides words of a sentence and brings them back; the hidden words are remembered next to the text."""

from __future__ import annotations

from dataclasses import dataclass

from app.results.expressions.blank import BLANK


@dataclass(frozen=True)
class Hidden:
    """A text with blanks and the words they hide, in order; an unknown word is empty."""

    text: str = ""
    words: tuple[str, ...] = ()


def hidden_in(text: str, before: Hidden) -> Hidden:
    """The known words behind a text's blanks: all, if the text is unchanged, else none."""
    if before.text == text:
        return before
    return Hidden(text, ("",) * len(BLANK.findall(text)))


def toggle(text: str, start: int, end: int, before: Hidden) -> Hidden:
    """Hide the word at these offsets, or bring back the one behind the blank there.

    A blank whose word is unknown stays.
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
    """Whether the text ends with a blank and no full stop."""
    blanks = list(BLANK.finditer(text.rstrip()))
    return bool(blanks) and blanks[-1].end() == len(text.rstrip())


def add_stop(text: str) -> str:
    """The text with a full stop after its final blank."""
    return text.rstrip() + "."
