"""Delimited text as cells: CSV with any delimiter, TSV with or without quotation marks.

Anything that is not a table is refused with the number of the line; nothing is filled in or left out on a guess.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from app.errors import PlaygroundError

DELIMITERS = (",", ";", "\t", "|")
# Excel's own first line, which names the delimiter.
NAMED_DELIMITER = re.compile(r'"?sep=([^"\n])"?\r?\n', re.IGNORECASE)
# Number of records whose widths are compared to find the delimiter.
TRIED = 50
# The library's own limit.
LARGEST_CELL = csv.field_size_limit()

Record = tuple[int, list[str]]  # the number of its first line, from 1, and its cells


def read_cells(text: str, *, tabs: bool = False) -> list[list[str]]:
    """All records that are not empty, each as wide as the first.

    Args:
        text: the file.
        tabs: cells are separated by tabs; otherwise the delimiter is detected.

    Raises:
        PlaygroundError: `bad_value`, naming the line: a quotation mark that is not closed, too few or too many cells.
    """
    # Lines are counted as in editors, with the line ends of any system.
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    skipped, said = 0, NAMED_DELIMITER.match(text)
    if said:
        text, skipped = text[said.end() :], 1
    delimiter = said[1] if said else "\t" if tabs else find_delimiter(text)
    records = _plain_tabs(text) if delimiter == "\t" else None
    if records is None:
        records = list(_quoted(text, delimiter, skipped))
    return _even([(line, cells) for line, cells in records if any(cell.strip() for cell in cells)])


def find_delimiter(text: str) -> str:
    """The delimiter that splits the first records into equal numbers of cells; else one that no text contains."""
    first = text.lstrip("\n").split("\n", 1)[0]
    counts = {sign: sum(part.count(sign) for part in first.split('"')[::2]) for sign in DELIMITERS}
    there = sorted((sign for sign in DELIMITERS if counts[sign]), key=lambda sign: -counts[sign])
    for sign in there:
        widths = _widths(text, sign)
        if widths and len(widths) == 1:
            return sign
    return next((sign for sign in there if sign != "|"), "\x1f")


def _widths(text: str, delimiter: str) -> set[int]:
    widths: set[int] = set()
    try:
        for place, (_, cells) in enumerate(_quoted(text, delimiter, 0)):
            if any(cells):
                widths.add(len(cells))
            if place == TRIED:
                break
    except PlaygroundError:
        return set()
    return widths


def _plain_tabs(text: str) -> list[Record] | None:
    """Lines split at tabs, with quotation marks as ordinary characters; None if that gives no even table.

    A cell entirely in quotation marks, with inner ones doubled, is how spreadsheets write its content.
    """
    lines = [(line, row.split("\t")) for line, row in enumerate(text.split("\n"), start=1) if row.strip()]
    if len({len(cells) for _, cells in lines}) > 1:
        return None
    return [(line, [_unquoted(cell) for cell in cells]) for line, cells in lines]


QUOTED = re.compile(r'"((?:[^"]|"")*)"')


def _unquoted(cell: str) -> str:
    whole = QUOTED.fullmatch(cell)
    return whole[1].replace('""', '"') if whole else cell


def _quoted(text: str, delimiter: str, skipped: int) -> Iterator[Record]:
    """Records by the rules of CSV.

    Raises:
        PlaygroundError: `bad_value`, a quotation mark that is not closed, or closed inside a cell.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        while True:
            line = reader.line_num + 1 + skipped
            yield line, next(reader)
    except StopIteration:
        return
    except csv.Error as error:
        raise _refusal(str(error), line, reader.line_num + skipped) from error


def _refusal(said: str, first: int, last: int) -> PlaygroundError:
    """The library's complaint about a record, as an error message.

    Args:
        said: its message, which is the same in all versions of Python.
        first: the record's first line.
        last: the line at which reading stopped.
    """
    if "field limit" in said and first == last:
        return PlaygroundError("too_long", "cell", line=first, limit=LARGEST_CELL)
    return PlaygroundError("bad_value", "open_quote", line=first)


def _even(records: list[Record]) -> list[list[str]]:
    """Cells of records that are all as wide as the first; empty cells beyond that width are cut.

    Raises:
        PlaygroundError: `bad_value`, naming the first that is not.
    """
    if not records:
        return []
    first = records[0][1]
    width = max(_filled(first), min(len(first), max(_filled(cells) for _, cells in records)))
    for line, cells in records:
        count = max(_filled(cells), min(len(cells), width))
        if count != width:
            raise PlaygroundError("bad_value", "ragged", line=line, count=count, expected=width)
    return [cells[:width] for _, cells in records]


def _filled(cells: list[str]) -> int:
    """The number of cells up to the last non-empty one."""
    return max((place for place, cell in enumerate(cells, start=1) if cell.strip()), default=0)
