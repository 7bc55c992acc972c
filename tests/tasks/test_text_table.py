"""People's files: byte order marks, Latin-1, semicolons, quotes, words that look like numbers or like nothing."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from app.errors import PlaygroundError
from app.tasks.files.table import read_file, split_lines, write_csv


def table(folder: Path, name: str, content: bytes) -> tuple[list[str], list[list[str]]]:
    """What is read of a file."""
    path = folder / name
    path.write_bytes(content)
    read = read_file(str(path))
    return read.columns, read.rows


WORDS = [["None", "1"], ["NA", "0"], ["007", "1"], ["1e5", "0"]]
LINES = "text,label\nNone,1\nNA,0\n007,1\n1e5,0\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", LINES.encode()),
        ("a.CSV", LINES.encode("utf-8-sig")),
        ("a.csv", LINES.replace("\n", "\r\n").encode("utf-16")),
        ("a.csv", LINES.replace(",", ";").encode()),
        ("a.csv", LINES.replace(",", "\t").encode()),
        ("a.tsv", LINES.replace(",", "\t").encode()),
        ("a.csv", LINES.replace("\n", "\n\n").encode()),
    ],
)
def test_words_stay_words(tmp_path: Path, name: str, content: bytes) -> None:
    assert table(tmp_path, name, content) == (["text", "label"], WORDS)


def test_quotes_commas_and_line_breaks_inside_cells(tmp_path: Path) -> None:
    content = b'text;note\n"a; ""b"", c\nd";x\nplain;\n'
    assert table(tmp_path, "a.csv", content) == (["text", "note"], [['a; "b", c\nd', "x"], ["plain", ""]])


def test_latin_1(tmp_path: Path) -> None:
    assert table(tmp_path, "a.csv", "text\nCafé “naïve” für 5 €\n".encode("cp1252"))[1] == [["Café “naïve” für 5 €"]]


def test_plain_lines(tmp_path: Path) -> None:
    assert table(tmp_path, "a.txt", "\ufeffone, two\r\n\r\n好\n".encode()) == (["text"], [["one, two"], ["好"]])
    assert split_lines("a\r\n \nb") == ["a", "b"]


def test_names_that_are_missing_or_twice(tmp_path: Path) -> None:
    assert table(tmp_path, "a.csv", b"text,,text\na,b,c\n")[0] == ["text", "column 2", "text (3)"]


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02", b"text\n", b"PK\x03\x04\x00\x00"])
def test_what_is_no_table(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(PlaygroundError) as caught:
        table(tmp_path, "a.csv", content)
    assert caught.value.key == "bad_value.table"


def test_a_large_file_and_a_missing_column(tmp_path: Path) -> None:
    with pytest.raises(PlaygroundError) as caught:
        table(tmp_path, "a.txt", b"a" * 2_000_001)
    assert caught.value.key == "too_long.file"
    (tmp_path / "b.csv").write_bytes(LINES.encode())
    assert read_file(str(tmp_path / "b.csv")).column("label") == ["1", "0", "1", "0"]
    with pytest.raises(PlaygroundError) as caught:
        read_file(str(tmp_path / "b.csv")).column("nope")
    assert caught.value.key == "bad_value.column"


@pytest.mark.parametrize(
    "cell", ["=1", "+x", "-x", "@x", " =1", "\n=1", "\u3000@x", "＝1", "＋x", "－x", "＠x", "\tx", "\rx"]
)
def test_what_a_spreadsheet_would_run_gets_a_quote(cell: str) -> None:
    ((written,),) = csv.reader(io.StringIO(write_csv([], [[cell]])[1:].lstrip("\r\n"), newline=""))
    assert written == f"'{cell}"


@pytest.mark.parametrize("cell", ["-5", "+0.5", "x=1", "a-b", " a", "", "好＝1"])
def test_everything_else_stays_as_it_is(cell: str) -> None:
    assert write_csv(["x"], [[cell, "y"]]).splitlines()[1] == f"{cell},y"


def test_written_files_are_read_back_and_hold_no_formula(tmp_path: Path) -> None:
    rows = [['=1+1 "x"', "好, a\nb"], ["-5", "+cmd"]]
    written = write_csv(["text", "@label"], rows)
    read = list(csv.reader(io.StringIO(written.removeprefix("\ufeff"), newline="")))
    assert read == [["text", "'@label"], ['\'=1+1 "x"', "好, a\nb"], ["-5", "'+cmd"]]
    assert table(tmp_path, "a.csv", written.encode())[1] == read[1:]
