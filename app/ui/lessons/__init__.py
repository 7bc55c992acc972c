"""What a lesson does to the page: a bar with the question, answers hidden until they are revealed, keys, large type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

# What stays in the address from step to step, besides the language.
KEPT = ("class", "short", "notes")


def kept_of(query: Mapping[str, str], language: str, keys: Sequence[str] = KEPT) -> dict[str, str]:
    """What of an address every link of a lesson carries on; switches are 1 or 0."""
    return {"lang": language, **{key: query[key] for key in keys if query.get(key) in ("0", "1")}}
