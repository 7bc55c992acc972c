"""What a visitor's file of texts contains: frozen, plain data like `app/results/text.py`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FileSeen:
    """A file that was read; `text`, `second` and `label` are the columns likely to hold these."""

    columns: list[str]
    rows: int
    encoding: str
    names: bool | None  # whether the first line was taken for names; None if a file has no such line
    text: str | None
    second: str  # empty if there is none
    label: str | None
    language: str = "en"  # of most texts: "en" or "zh"


@dataclass(frozen=True)
class LeftOut:
    """A row that is longer than the model reads at once (in tokens) or than the page accepts (in characters)."""

    row: int  # from 1
    count: int
    limit: int
    unit: str = "tokens"
