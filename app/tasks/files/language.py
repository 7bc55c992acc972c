"""The language of texts, as far as the encoders here distinguish languages."""

from __future__ import annotations

from collections.abc import Iterable

from app.results.expressions.writing import CHINESE


def language_of_texts(texts: Iterable[str]) -> str:
    """Chinese ("zh") if most texts contain some, else "en"."""
    chinese = [bool(CHINESE.search(text)) for text in texts]
    return "zh" if sum(chinese) * 2 > len(chinese) else "en"
