"""Says in one sentence which parts of a text a model does not know, so that its answer is not overrated."""

from __future__ import annotations

from collections.abc import Sequence

from app.results.expressions.blank import BLANK
from app.results.text import Unknown
from app.ui.texts import say

SHOWN_PARTS, SHOWN_CHARACTERS = 5, 24


def unknown_note(language: str, model: str, unknown: Sequence[Unknown], *texts: str) -> str:
    """The sentence; empty where everything is known.

    Args:
        language: of the page.
        model: name.
        unknown: the parts, by their place in `texts`.
        texts: what the model read.
    """
    if not unknown:
        return ""
    texts = tuple(BLANK.sub(lambda match: " " * len(match.group()), text) for text in texts)
    covered = {(part.sentence, index) for part in unknown for index in range(part.start, part.end)}
    letters = [(side, at) for side, text in enumerate(texts) for at, sign in enumerate(text) if sign.isalnum()]
    if letters and 2 * len(covered.intersection(letters)) >= len(letters):
        return say(language, "models", "unknown_most", model=model)
    parts = list(dict.fromkeys(_shortened(part.text) for part in unknown))
    listed = say(language, "models", "unknown_and").join(f"“{part}”" for part in parts[:SHOWN_PARTS])
    more = say(language, "models", "unknown_more") if len(parts) > SHOWN_PARTS else ""
    return say(language, "models", "unknown", model=model, parts=listed + more)


def unknown_in_many(language: str, model: str, unknown: Sequence[Sequence[Unknown]]) -> str:
    """The same for a list of texts: in how many of them there is something unknown."""
    count = sum(bool(parts) for parts in unknown)
    return say(language, "models", "unknown_many", model=model, count=count, total=len(unknown)) if count else ""


def _shortened(part: str) -> str:
    return part if len(part) <= SHOWN_CHARACTERS else f"{part[:SHOWN_CHARACTERS]}…"
