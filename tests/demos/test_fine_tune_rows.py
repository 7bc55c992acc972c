"""The fine-tuning tab's rows: sample sets, lines of a box, columns of a file, refusals."""

from __future__ import annotations

from pathlib import Path

import gradio as gr
import pytest

from app.tasks.fine_tune.page import FIRST, SETS, gather_rows, read_sample
from demos import fine_tune as demo
from tests.demos.test_fine_tune import request, start

pytestmark = pytest.mark.usefixtures("fresh_trainings")


def test_rows_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes("label,text\n007,the dog\nNA,soup\n".encode("utf-8-sig"))
    text, second, label, *_ = demo.on_file(str(path), "", None, "", None, request())
    assert (text.value, second.value, label.value) == ("text", "", "label")
    assert gather_rows("", str(path), "", None, "text", "", "label") == [
        {"text": "the dog", "label": "007"}, {"text": "soup", "label": "NA"}
    ]  # fmt: skip


@pytest.mark.parametrize("name", [name for name in SETS if not name.startswith("names")])
def test_sample_sets_are_balanced(name: str) -> None:
    rows = gather_rows(read_sample(name))
    counts = {label: sum(row["label"] == label for row in rows) for label in {row["label"] for row in rows}}
    texts = {(row["text"], row.get("text_pair")) for row in rows}
    assert len(set(counts.values())) == 1 and len(texts) == len(rows)
    assert len(rows) >= (200 if name in FIRST.values() else 40)
    assert name.startswith("pairs") == all("text_pair" in row for row in rows)


ROW = {"text": "a", "text_pair": "b", "label": "x"}


@pytest.mark.parametrize(
    ("lines", "rows"),
    [
        ("a | b | x", [ROW]),
        ("a\tb\tx\nd\tc\tx", [ROW, {"text": "d", "text_pair": "c", "label": "x"}]),
        ("x\ta\tb\nx\ta\tc", [ROW, {**ROW, "text_pair": "c"}]),
        ("x\ta | b\tc", [{"text": "a | b", "text_pair": "c", "label": "x"}]),
        ("a\tx", [{"text": "a", "label": "x"}]),
        ("a |  | x", [{"text": "a", "label": "x"}]),
    ],
)
def test_lines_of_pairs(lines: str, rows: list) -> None:
    assert gather_rows(lines) == rows


@pytest.mark.parametrize(
    ("header", "guessed"),
    [
        ("sentence1,sentence2,label", ("sentence1", "sentence2", "label")),
        ("label,text,text_pair", ("text", "text_pair", "label")),
        ("premise,hypothesis,class", ("premise", "hypothesis", "class")),
        ("text,mood", ("text", "", "mood")),
    ],
)
def test_columns_of_a_file(tmp_path: Path, header: str, guessed: tuple) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"{header}\n{header}\n", encoding="utf-8")
    text, second, label, *_ = demo.on_file(str(path), "", None, "", None, request())
    assert (text.value, second.value, label.value) == guessed
    (row,) = gather_rows("", str(path), "", None, *guessed)
    assert (row["text"], row.get("text_pair", ""), row["label"]) == guessed


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"lines": "the dog"}, "bad_value"),
        ({"lines": "the dog | A\nthe cat | A"}, "bad_value"),
        ({"lines": "the dog | "}, "bad_value"),
        ({"lines": ""}, "bad_value"),
        ({"lines": "a | b | c | d"}, "bad_value"),
        ({"lines": "the dog | the cat | A\nthe dog | B"}, "bad_value"),
        ({"rate": "fast"}, "bad_value"),
        ({"rate": None}, "bad_value"),
        ({"epochs": 10**6}, "bad_value"),
        ({"method": "magic"}, "bad_value"),
        ({"model": "gpt2"}, "bad_value"),
    ],
)
def test_what_is_refused(changed: dict, code: str) -> None:
    with pytest.raises(gr.Error, match=code):
        start(**changed)
