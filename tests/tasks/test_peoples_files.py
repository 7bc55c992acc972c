"""People's files: encodings of several countries, no line of names, JSON, unclosed quotation marks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.errors import PlaygroundError
from app.tasks.files.columns import guess_columns
from app.tasks.files.encoding import decode
from app.tasks.files.look import look_at_file
from app.tasks.files.table import TextTable, read_file
from app.tasks.fine_tune.page import gather_rows
from app.ui.events import sentence

SIMPLIFIED = "评论,标签\n早餐很丰富，房间也很干净,好评\n等了很久才入住，非常失望,差评\n"
TRADITIONAL = "評論,標籤\n早餐很豐富，房間也很乾淨,好評\n等了很久才入住，非常失望,差評\n"
JAPANESE = "レビュー,ラベル\n朝食がとても豊かで、部屋もきれいでした。,良い\n長く待たされて、がっかりしました。,悪い\n"
KOREAN = "리뷰,라벨\n아침 식사가 아주 좋았고 방도 깨끗했어요,긍정\n너무 오래 기다려서 정말 실망했습니다,부정\n"
RUSSIAN = "отзыв,метка\nЗавтрак был очень хороший и номер чистый,да\nМы ждали слишком долго,нет\n"
FRENCH = "texte,avis\nLe café était très bon et la chambre agréable,bien\nDéçus par l’accueil – trop long,mal\n"
GERMAN = "text,label\nFür Müller war das Frühstück schön,gut\nÜber die Straße hörte man Lärm,schlecht\n"


@pytest.mark.parametrize(
    ("text", "codec", "said"),
    [
        (SIMPLIFIED, "gb18030", "GB18030"),
        (SIMPLIFIED, "utf-8", "UTF-8"),
        (SIMPLIFIED, "utf-16", "UTF-16"),
        (SIMPLIFIED, "utf-16-le", "UTF-16"),
        (SIMPLIFIED, "utf-16-be", "UTF-16 (big-endian)"),
        (SIMPLIFIED, "utf-32", "UTF-32"),
        ("一一一一一一,一\n一二,三\n", "utf-16-le", "UTF-16"),
        ("一一一一一一,一\n一二,三\n", "utf-16-be", "UTF-16 (big-endian)"),
        (TRADITIONAL, "big5", "Big5"),
        (JAPANESE, "cp932", "Shift-JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (KOREAN, "cp949", "EUC-KR"),
        (RUSSIAN, "cp1251", "Windows-1251"),
        (FRENCH, "cp1252", "Windows-1252"),
        (GERMAN, "cp1252", "Windows-1252"),
        (FRENCH, "mac_roman", "Mac Roman"),
        (GERMAN, "mac_roman", "Mac Roman"),
        ("text,label\nThe café isn’t “naïve”,good\nSmörgåsbord – señor,bad\n", "mac_roman", "Mac Roman"),
        ("text,label\nIt’s fine,good\n", "mac_roman", "Mac Roman"),
        ("text,label\nIt’s fine – “ok”…,good\nFrançois,ÉCOLE\n", "cp1252", "Windows-1252"),
        ("text,label\nnice room,好评\nbad room,差评\n", "gbk", "GB18030"),
        ("text,label\nnice room,好評\nbad room,負評\n", "big5", "Big5"),
        ("für,über\nmüde,grün\n", "cp1252", "Windows-1252"),
    ],
)
@pytest.mark.parametrize("language", ["", "en", "zh-CN"])
def test_encodings_are_found(text: str, codec: str, said: str, language: str) -> None:
    found = decode(text.encode(codec), language)
    assert (found.text, found.encoding) == (text, said)


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (SIMPLIFIED.encode()[:-2], "encoding"),  # UTF-8 that was cut off
        ("naïve ".encode() + "café".encode("cp1252"), "encoding"),  # two encodings in one
        (TRADITIONAL.encode("gbk"), "encoding"),
        ("zażółć gęślą jaźń".encode("cp1250"), "encoding"),
        ("text,label\nשלום עולם, מה שלומך היום,x\n".encode("cp1255"), "encoding"),
        ("text,label\nΚαλημέρα σας, τι κάνετε,x\n".encode("cp1253"), "encoding"),
        (b"\xef\xbb\xbf" + SIMPLIFIED.encode("gbk"), "other_encoding"),
        (bytes(range(256)) * 4, "table"),
    ],
)
def test_what_cannot_be_told_is_asked(content: bytes, key: str) -> None:
    with pytest.raises(PlaygroundError) as asked:
        decode(content)
    assert asked.value.key == f"bad_value.{key}"


def test_an_encoding_may_be_chosen() -> None:
    assert decode(TRADITIONAL.encode("gbk"), chosen="GB18030").text == TRADITIONAL
    assert decode(b"\xef\xbb\xbf" + SIMPLIFIED.encode("gbk"), chosen="GB18030").text == SIMPLIFIED
    assert decode(b"\xfe\xff" + SIMPLIFIED.encode("utf-16-be"), chosen="UTF-16").text == SIMPLIFIED
    with pytest.raises(PlaygroundError) as refused:
        decode(SIMPLIFIED.encode("gbk"), chosen="UTF-8")
    assert refused.value.key == "bad_value.other_encoding" and "UTF-8" in sentence(refused.value, "en")
    with pytest.raises(PlaygroundError):
        decode(b"a", chosen="rot13")


def read(folder: Path, name: str, content: str | bytes, **how: object) -> TextTable:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_file(str(path), **how)


ROWS = "The soup was warm,good\nMy tea came cold,bad\nA kind waiter,good\nThe bill was wrong,bad\n"


def test_a_first_line_that_is_a_row_is_noticed(tmp_path: Path) -> None:
    table = read(tmp_path, "a.csv", ROWS)
    assert table.columns == ["column 1", "column 2"] and len(table.rows) == 4 and table.names is False
    assert read(tmp_path, "a.csv", ROWS, names=True).columns == ["The soup was warm", "good"]
    named = read(tmp_path, "a.csv", "words,mood\n" + ROWS)
    assert named.columns == ["words", "mood"] and named.names is True
    assert read(tmp_path, "a.csv", "words,mood\n" + ROWS, names=False).rows[0] == ["words", "mood"]
    cola = "".join(f"xy0{place}\t{place % 2}\t{'*' * (place % 2)}\tHe did went {place}.\n" for place in range(6))
    table = read(tmp_path, "a.tsv", cola)
    assert len(table.rows) == 6 and guess_columns(table.columns, table.rows) == ("column 4", "", "column 2")


@pytest.mark.parametrize(
    ("first", "guess"),
    [
        ("评论,标签", ("评论", "", "标签")),
        ("标签,句子", ("句子", "", "标签")),
        ("Sentiment,Review", ("Review", "", "Sentiment")),
        ("id,文本", ("文本", "", "id")),
        ("words,mood", ("words", "", "mood")),
        ("mood,words", ("words", "", "mood")),
        ("句子1,句子2,类别", ("句子1", "句子2", "类别")),
        ('"text","label"', ("text", "", "label")),
    ],
)
def test_columns_are_found_by_their_names_and_by_their_values(first: str, guess: tuple) -> None:
    columns = [name.strip('"') for name in first.split(",")]
    rows = []
    for place in range(8):
        row = [f"a sentence that is different, number {place}"] * len(columns)
        for at, name in enumerate(columns):
            if name == guess[2]:
                row[at] = ("good", "bad")[place % 2]
        rows.append(row)
    assert guess_columns(columns, rows) == guess


def test_tsv_with_quotation_marks_loses_no_row(tmp_path: Path) -> None:
    content = 'text\tlabel\n"Unclosed, she said\tA\nplain\tB\n5" disk\tA\n"whole ""cell"""\tB\n"\tA\n'
    assert read(tmp_path, "a.tsv", content).rows == [
        ['"Unclosed, she said', "A"], ["plain", "B"], ['5" disk', "A"], ['whole "cell"', "B"], ['"', "A"],
    ]  # fmt: skip
    quoted = 'text\tlabel\n"two\nlines, and\ta tab"\tA\nplain\tB\n'
    assert read(tmp_path, "a.tsv", quoted).rows == [["two\nlines, and\ta tab", "A"], ["plain", "B"]]


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("a.csv", "sep=;\ntext;label\na, b;x\n", [["a, b", "x"]]),
        ("a.csv", '"sep=|"\r\ntext|label\r\na, b|x\r\n', [["a, b", "x"]]),
        ("a.txt", "text\tlabel\na\tx\nb\ty\n", [["a", "x"], ["b", "y"]]),
        ("a.csv", "text\nHello, world\nbye\n", [["Hello, world"], ["bye"]]),
        ("a.csv", "text,label,,\na,x,,\nb,y,,\n,,,\n", [["a", "x"], ["b", "y"]]),
        ("a.csv", "text,label\ra,x\rb,y\r", [["a", "x"], ["b", "y"]]),
        ("a.csv", "text|label\na, b|x\nc|y\n", [["a, b", "x"], ["c", "y"]]),
        ("a.csv", "text;label\na, b, c;x\nd, e, f;y\n", [["a, b, c", "x"], ["d, e, f", "y"]]),
    ],
)
def test_delimiters(tmp_path: Path, name: str, content: str, rows: list) -> None:
    assert read(tmp_path, name, content).rows == rows


def test_lines_with_a_tab_here_and_there_are_lines(tmp_path: Path) -> None:
    assert read(tmp_path, "a.txt", "one\ttwo\nthree\n").rows == [["one\ttwo"], ["three"]]


OBJECTS = [{"sentence": "The soup\nwas warm", "label": "good"}, {"sentence": "cold", "label": 1.50, "sure": True}]


@pytest.mark.parametrize("name", ["a.jsonl", "a.txt", "a.json", "a.csv"])
def test_json_lines(tmp_path: Path, name: str) -> None:
    expected = (["sentence", "label", "sure"], [["The soup\nwas warm", "good", ""], ["cold", "1.5", "true"]])
    lines = "\n".join(map(json.dumps, OBJECTS)) + "\n\n"
    for content in (lines, json.dumps(OBJECTS, indent=1)):
        table = read(tmp_path, name, content)
        assert (table.columns, table.rows, table.names) == (*expected, None)
    assert read(tmp_path, name, '{"text": "a", "label": 007}\n'.replace("007", "7")).rows == [["a", "7"]]


LONG = "x" * 200_000


@pytest.mark.parametrize(
    ("content", "key", "line"),
    [
        ('text,label\n"The door was left open,bad\n' + "the soup,good\n" * 20_000, "bad_value.open_quote", 2),
        ('text,label\nfine,good\n"The door,bad\nthe soup,good\n', "bad_value.open_quote", 3),
        ('text,label\n"Stop" she said,bad\n', "bad_value.open_quote", 2),
        ("text,label\na,x\nthe soup, was warm,good\n", "bad_value.ragged", 3),
        ("text,label\na,x\n\nbroken\nin two,good\n", "bad_value.ragged", 4),
        (f"text,label\na,x\n{LONG},y\n", "too_long.cell", 3),
        ('{"text": "a"}\n{"text": \n', "bad_value.json_line", 2),
        ('{"text": "a"}\n[1]\n', "bad_value.json_line", 2),
        ('{"text": ["a"]}\n', "bad_value.json_value", 1),
        ("sep=;\ntext;label\na;b;c\n", "bad_value.ragged", 3),
    ],
)
def test_what_is_no_table_is_refused_with_its_line(tmp_path: Path, content: str, key: str, line: int) -> None:
    with pytest.raises(PlaygroundError) as refused:
        read(tmp_path, "a.csv", content)
    assert refused.value.key == key and refused.value.values["line"] == line
    for language in ("en", "zh-CN"):
        assert str(line) in sentence(refused.value, language)


def test_the_sets_people_sent(shared: Path, tmp_path: Path) -> None:
    folder = shared / "faults2"
    seen = look_at_file(str(folder / "f01_excel_china.csv"), "en")
    assert (seen.columns, seen.rows, seen.encoding, seen.text, seen.label) == (
        ["评论", "标签"], 8, "GB18030", "评论", "标签"
    )  # fmt: skip
    rows = gather_rows("", str(folder / "f01_excel_china.csv"), "", None, "评论", "", "标签")
    assert {row["label"] for row in rows} == {"好评", "差评"}
    for name, count in (("f03_no_names.csv", 8), ("f03_cola_like.tsv", 6), ("f05_rows_jsonl.txt", 8)):
        assert look_at_file(str(folder / name)).rows == count
    for name in ("f09_unicode_text.txt", "f09_unicode_text.csv", "f09_utf16_no_mark.csv"):
        seen = look_at_file(str(folder / name))
        assert (seen.columns, seen.rows, seen.text, seen.label) == (["text", "label"], 8, "text", "label")
    with pytest.raises(PlaygroundError) as refused:
        look_at_file(str(folder / "f06_open_quote.csv"))
    assert refused.value.key == "bad_value.open_quote" and refused.value.values["line"] == 2


@pytest.mark.parametrize("columns", [(None, "", None), ("first", "", ""), ("", "", "second")])
def test_a_column_that_nobody_chose_is_asked_for(tmp_path: Path, columns: tuple[str | None, ...]) -> None:
    path = tmp_path / "a.csv"
    path.write_text("first,second\ngood soup,bad soup\n", encoding="utf-8")
    with pytest.raises(PlaygroundError) as refused:
        gather_rows("", str(path), "", None, *columns)
    assert refused.value.key == "bad_value.columns"
    for language in ("en", "zh-CN"):
        assert "first, second" in sentence(refused.value, language)
