"""A visitor's file of texts as rows, and answers as a file. Every cell stays the text it is.

`007`, `NA` and `None` are words here, as no types are guessed. Knows bytes and rows, no model. `delimited` reads
delimited text, `json_lines` JSON lines; anything else has one text per line.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.errors import PlaygroundError
from app.tasks.files.columns import is_row
from app.tasks.files.delimited import read_cells
from app.tasks.files.encoding import Decoded, decode
from app.tasks.files.json_lines import read_json

# What spreadsheets take for a formula, even after spaces and in the wide forms of East Asian input.
FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
BLANK = " \t\r\n\u3000"
LARGEST_BYTES = 2_000_000
TABLES = (".csv", ".tsv")


@dataclass(frozen=True)
class TextTable:
    """A file's rows.

    Attributes:
        columns: names from the first line, or made up if that is a row; plain lines have one column, `text`.
        rows: cells, as many in each row as there are columns.
        encoding: the encoding used to read the file.
        names: whether the first line was read as names; None if a file has no such line.
    """

    columns: list[str]
    rows: list[list[str]]
    encoding: str = ""
    names: bool | None = None

    def column(self, name: str) -> list[str]:
        """The cells of one column.

        Raises:
            PlaygroundError: `bad_value`, there is no column of that name.
        """
        if name not in self.columns:
            raise PlaygroundError("bad_value", "column", column=name, choices=", ".join(self.columns))
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


def read_file(path: str, language: str = "", encoding: str = "", names: bool | None = None) -> TextTable:
    """Read a file of texts: JSON lines, a table (`.csv`, `.tsv`, or tabs on each line of a `.txt`), or plain lines.

    Args:
        path: the file.
        language: of the page, a hint to the encoding.
        encoding: the visitor's choice; empty to detect it.
        names: whether a table's first line holds names; None to guess.

    Raises:
        PlaygroundError: `bad_value`, it is not text, or a line (which is named) does not fit the table; `too_long`, it
            is too large.
    """
    decoded = decode_file(path, language, encoding)
    table = read_text(decoded.text, Path(path).suffix.lower(), names)
    if not table.rows:
        raise PlaygroundError("bad_value", "table")
    return replace(table, encoding=decoded.encoding)


def decode_file(path: str, language: str = "", encoding: str = "") -> Decoded:
    """A file as one text; arguments as in `read_file`.

    Raises:
        PlaygroundError: `bad_value`, it is not text; `too_long`, it is too large.
    """
    content = Path(path).read_bytes()
    if len(content) > LARGEST_BYTES:
        raise PlaygroundError("too_long", "file", count=len(content), limit=LARGEST_BYTES)
    return decode(content, language, encoding)


def read_text(text: str, ending: str, names: bool | None = None) -> TextTable:
    """The rows of a file's text."""
    objects = read_json(text)
    if objects is not None:
        return TextTable(*objects)
    if ending in TABLES or has_tabs(text):
        return read_table(text, tabs=ending != ".csv", names=names)
    return TextTable(["text"], [[line] for line in split_lines(text)])


def has_tabs(text: str) -> bool:
    """Whether all lines have the same number of tabs, at least one, as in a spreadsheet's "Unicode text"."""
    counts = {line.count("\t") for line in split_lines(text)}
    return len(counts) == 1 and counts != {0}


def read_table(text: str, *, tabs: bool, names: bool | None = None) -> TextTable:
    """Delimited text."""
    cells = read_cells(text, tabs=tabs)
    if not cells:
        return TextTable([], [])
    named = not is_row(cells) if names is None else names
    first = cells[0] if named else [""] * len(cells[0])
    columns = [name.strip() or f"column {place}" for place, name in enumerate(first, start=1)]
    return TextTable(_distinct(columns), cells[1:] if named else cells, names=named)


def split_lines(text: str) -> list[str]:
    """The lines that are not empty."""
    return [line.strip("\r") for line in text.replace("\r\n", "\n").split("\n") if line.strip()]


def _distinct(names: list[str]) -> list[str]:
    return [name if name not in names[:place] else f"{name} ({place + 1})" for place, name in enumerate(names)]


def write_csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV with the byte order mark that spreadsheets need; a quote disarms cells they would run as formulas."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow([_harmless(name) for name in columns])
    writer.writerows([[_harmless(cell) for cell in row] for row in rows])
    return "\ufeff" + made.getvalue()


def _harmless(cell: str) -> str:
    risky = cell.lstrip(BLANK).startswith(FORMULA) or cell.startswith(("\t", "\r"))
    return f"'{cell}" if risky and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
