"""A check's result: one line with a level."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One line: `ok`, `note` (worth knowing) or `stop` (no lesson like this), and a sentence."""

    level: str
    sentence: str
