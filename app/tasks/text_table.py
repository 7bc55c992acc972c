"""A visitor's file of texts as rows, and answers as a file: CSV, TSV or plain lines. Every cell stays the text it is.

`007`, `NA` and `None` are words here, as nothing is guessed about types. Knows bytes and rows, no model.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.errors import PlaygroundError

DELIMITERS = (",", ";", "\t")
# Byte order marks, the longer ones first.
MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
# What a spreadsheet would take for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
LARGEST_BYTES = 2_000_000


@dataclass(frozen=True)
class TextTable:
    """A file's rows.

    Attributes:
        columns: names from the first line; plain lines have one, `text`.
        rows: cells, as many in each row as there are columns.
    """

    columns: list[str]
    rows: list[list[str]]

    def column(self, name: str) -> list[str]:
        """The cells of one column.

        Raises:
            PlaygroundError: `bad_value`, there is none of that name.
        """
        if name not in self.columns:
            raise PlaygroundError("bad_value", "column", column=name, choices=", ".join(self.columns))
        place = self.columns.index(name)
        return [row[place] for row in self.rows]


def read_file(path: str) -> TextTable:
    """A file of texts by its name's ending: `.csv` and `.tsv` have a first line of names, anything else is plain lines.

    Raises:
        PlaygroundError: `bad_value`, it holds no text; `too_long`, it is too large.
    """
    content = Path(path).read_bytes()
    if len(content) > LARGEST_BYTES:
        raise PlaygroundError("too_long", "file", count=len(content), limit=LARGEST_BYTES)
    text = decode(content)
    ending = Path(path).suffix.lower()
    table = read_table(text, "\t" if ending == ".tsv" else None) if ending in (".csv", ".tsv") else read_lines(text)
    if not table.rows:
        raise PlaygroundError("bad_value", "table")
    return table


def decode(content: bytes) -> str:
    """Bytes as text: by their byte order mark, else UTF-8, else Latin-1 in the way Windows writes it.

    Raises:
        PlaygroundError: `bad_value`, this is no text.
    """
    encoding = next((name for mark, name in MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    if "\x00" in text:
        raise PlaygroundError("bad_value", "table")
    return text


def read_table(text: str, delimiter: str | None = None) -> TextTable:
    """Delimited text with a line of names; without a given delimiter, the one that the first line has most of."""
    first = text.split("\n", 1)[0]
    delimiter = delimiter or max(DELIMITERS, key=lambda sign: (_outside_quotes(first, sign), -DELIMITERS.index(sign)))
    # In TSV a quotation mark is a letter like others, unless it opens the cell.
    lines = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]
    if not lines:
        return TextTable([], [])
    width = max(len(row) for row in lines)
    names = [name.strip() or f"column {place}" for place, name in enumerate(_filled(lines[0], width), start=1)]
    return TextTable(_distinct(names), [_filled(row, width) for row in lines[1:]])


def read_lines(text: str) -> TextTable:
    """One text a line; empty lines are left out."""
    return TextTable(["text"], [[line] for line in split_lines(text)])


def split_lines(text: str) -> list[str]:
    """The lines that have something in them."""
    return [line.strip("\r") for line in text.replace("\r\n", "\n").split("\n") if line.strip()]


def _outside_quotes(line: str, sign: str) -> int:
    return sum(part.count(sign) for part in line.split('"')[::2])


def _filled(row: list[str], width: int) -> list[str]:
    return [*row, *[""] * (width - len(row))]


def _distinct(names: list[str]) -> list[str]:
    return [name if name not in names[:place] else f"{name} ({place + 1})" for place, name in enumerate(names)]


def write_csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV with a byte order mark, which spreadsheets need; what they would run as a formula gets a quote."""
    made = io.StringIO()
    writer = csv.writer(made)
    writer.writerow([_harmless(name) for name in columns])
    writer.writerows([[_harmless(cell) for cell in row] for row in rows])
    return "\ufeff" + made.getvalue()


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
