"""A preview of a visitor's file of texts, before it is used."""

from __future__ import annotations

from app.results.files import FileSeen
from app.tasks.files.columns import guess_columns
from app.tasks.files.language import language_of_texts
from app.tasks.files.table import read_file


def look_at_file(path: str, language: str = "", encoding: str = "", names: bool | None = None) -> FileSeen:
    """The columns of a file, their likely content, and how the file was read; see `read_file`.

    Raises:
        PlaygroundError: `bad_value` or `too_long`, it is not a table of text.
    """
    table = read_file(path, language, encoding, names)
    guess = guess_columns(table.columns, table.rows)
    spoken = language_of_texts(table.column(guess[0]) if guess[0] else [])
    return FileSeen(table.columns, len(table.rows), table.encoding, table.names, *guess, spoken)
