"""The other forms of an English word: play, plays, played, playing; mouse, mice."""

from __future__ import annotations

from app.late_imports import importing


def other_forms(word: str) -> list[str]:
    """Forms of every word that this one may be a form of; empty if it is not an English word."""
    with importing():
        from lemminflect import getAllInflections, getAllLemmas

    if not word.isascii() or not word.isalpha():
        return []
    lower = word.lower()
    bases = {lower} | {base for bases in getAllLemmas(lower).values() for base in bases}
    forms = {form for base in bases for made in getAllInflections(base).values() for form in made}
    return sorted((forms | bases) - {lower})
