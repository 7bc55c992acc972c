"""Checks of what callers send. Every limit is enforced here, on the server."""

from __future__ import annotations

import sys
from typing import TypeGuard

from app.errors import PlaygroundError
from app.settings import settings


def is_number(value: object) -> TypeGuard[int | float]:
    """A finite number that fits a float: JSON has integers of any length, and Python accepts NaN in JSON."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def check_text(text: object, field: str = "text", *, required: bool = True) -> str:
    """Return the text if it is a string within the length limit.

    Raises:
        PlaygroundError: `bad_value`, not a text; `empty_text`, nothing but space; `too_long`, too many characters.
    """
    if not isinstance(text, str):
        raise PlaygroundError("bad_value", "text", field=field)
    if required and not text.strip("\x00 \t\r\n\v\f\u00a0\u3000\ufeff\u200b"):
        raise PlaygroundError("empty_text", field=field)
    if len(text) > settings().max_characters:
        raise PlaygroundError("too_long", "characters", count=len(text), limit=settings().max_characters)
    return text


def check_texts(texts: object, field: str = "texts") -> list[object]:
    """Return a list of at least one text and at most as many as the host allows; the texts are not checked.

    Raises:
        PlaygroundError: `bad_value`, not a list; `too_long`, too many texts.
    """
    if not isinstance(texts, list | tuple) or not texts:
        raise PlaygroundError("bad_value", "texts", field=field)
    if len(texts) > settings().max_texts:
        raise PlaygroundError("too_long", "texts", count=len(texts), limit=settings().max_texts)
    return list(texts)


def check_whole_number(value: object, field: str, low: int, high: int) -> int:
    """Return the number if it is an integer in the range; 5.0, as JSON clients send it, counts.

    Raises:
        PlaygroundError: `bad_value`, naming field and range.
    """
    if not is_number(value) or value != int(value) or not low <= value <= high:
        raise PlaygroundError("bad_value", "number", field=field, low=low, high=high)
    return int(value)


def check_number(value: object, field: str, low: float, high: float, *, above: bool = False) -> float:
    """Return the number if it is in the range.

    Args:
        value: what was sent.
        field: its name in the error message.
        low: the smallest accepted value.
        high: the largest accepted value.
        above: exclude `low` itself.

    Raises:
        PlaygroundError: `bad_value`, naming field and range.
    """
    if not is_number(value) or not low <= value <= high or (above and value == low):
        raise PlaygroundError("bad_value", "above" if above else "range", field=field, low=low, high=high)
    return float(value)


def check_words(words: object, field: str, most: int) -> list[str]:
    """Return a list of words, none of them empty or longer than 100 characters.

    Raises:
        PlaygroundError: `bad_value`, naming the field and its limit.
    """
    if words is None:
        return []
    if not isinstance(words, list | tuple) or len(words) > most:
        raise PlaygroundError("bad_value", "list", field=field, limit=most)
    for word in words:
        if not isinstance(word, str) or not word.strip() or len(word) > 100:
            raise PlaygroundError("bad_value", "word", field=field)
    return [word.strip() for word in words]


def check_models(models: list[str], most: int) -> list[str]:
    """Return the models chosen in a picker: at least one, at most as many as fit side by side.

    Raises:
        PlaygroundError: `bad_value`, none or too many.
    """
    if not models or len(models) > most:
        raise PlaygroundError("bad_value", "models", limit=most)
    return models


def check_tokens(count: int, limit: int) -> None:
    """Refuse what does not fit into the model's window.

    Raises:
        PlaygroundError: `too_long`, with both counts.
    """
    if count > limit:
        raise PlaygroundError("too_long", "tokens", count=count, limit=limit)
