"""What was found in a visitor's file of texts: frozen, plain data like `app/results/text.py`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FileSeen:
    """A file, read; `text`, `second` and `label` are the columns that probably hold these."""

    columns: list[str]
    rows: int
    encoding: str
    names: bool | None  # whether the first line was taken for names; None where a file has no such line
    text: str | None
    second: str  # empty where there is none
    label: str | None
    language: str = "en"  # of most texts: "en" or "zh"


@dataclass(frozen=True)
class LeftOut:
    """A row that is longer than the model reads at once, in tokens, or than the page takes, in characters."""

    row: int  # from 1
    count: int
    limit: int
    unit: str = "tokens"
