"""The classification tab: bars and tables with escaped text, files, pairs, own models in the list, links, endpoints."""

from __future__ import annotations

import csv
from pathlib import Path

import gradio as gr
import pytest

from app.results.classification import Classified, ClassifyResult
from app.results.sentence_pair import LabelProbability
from app.ui.components.download_panel import labelled
from app.ui.texts import texts
from app.views.classification import draw_classified, draw_table, table_rows
from demos import classification as demo
from tests.about import ABOUT
from tests.checkpoints import CLASSIFIER
from tests.conftest import SetVariables
from tests.demos.client import call, request
from tests.plots import sent, told

MODEL = CLASSIFIER


def answer(model: str = "m", *texts: str) -> ClassifyResult:
    """Made-up probabilities."""
    labels = [LabelProbability("good", 0.75), LabelProbability("bad", 0.25)]
    return ClassifyResult(model, "r", [Classified(text, labels) for text in texts])


def last(lines: str, *, pairs: bool = False, path: str | None = None, models: tuple[str, ...] = (MODEL,)) -> tuple:
    """What the page shows in the end."""
    *_, shown = demo.on_run(lines, pairs, path, "", None, None, None, list(models), request())
    return shown


def test_text_and_labels_are_escaped() -> None:
    labels = texts("classification")["en"]
    for drawn in (
        draw_classified(answer("m", "<b>x</b>"), ABOUT, labels),
        draw_table([answer("m", "<b>x</b>")], [ABOUT], labels),
    ):
        assert "<b>x" not in drawn and "75" in drawn and "good" in drawn


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_a_map_says_how_it_was_drawn(tiny: Path, language: str) -> None:
    asked = request(lang=language)
    few, many = "the dog\nsoup\nthe cat ran", "\n".join(f"the dog ran {'away ' * count}" for count in range(12))
    for lines, method, said in (
        (few, "tsne", "PCA"),
        (many, "tsne", "3.67"),
        (many, "umap", "11"),
        (few, "pca", "PCA"),
    ):
        _, plot, *_ = demo.on_map(last(lines)[3], method, asked)
        caption = told(plot)
        assert said in caption
        assert ("t-SNE" in caption) == (method == "tsne")


def test_nameless_classes_are_said_to_be_so() -> None:
    entry = Classified("x", [LabelProbability("class 1", 0.6), LabelProbability("class 0", 0.4)])
    drawn = draw_classified(ClassifyResult("m", "r", [entry]), ABOUT, texts("classification")["en"])
    assert "gave its classes no names" in drawn and "LABEL" not in drawn
    assert "gave its classes no names" not in draw_classified(answer("m", "x"), ABOUT, texts("classification")["en"])


def test_a_file_has_all_labels_of_all_models() -> None:
    columns, rows = table_rows([answer("one", "a", "b"), answer("two", "a", "b")])
    assert columns == ["text", "one: label", "one: bad", "one: good", "two: label", "two: bad", "two: good"]
    assert rows[0] == ["a", "good", "0.250000", "0.750000", "good", "0.250000", "0.750000"]


def test_one_text_many_texts_and_pairs(tiny: Path) -> None:
    cards, note, file, results, *_ = last("The dog barked.")
    assert cards.count("<article") == 1 and note == "" and len(results) == 1
    table, note, file, results, *_ = last("The dog.\n\nThe <i>cat</i>.\nsoup")
    assert table.count("<tr") == 4 and "<i>cat" not in table and "3 sentences" in note
    with open(file.value["path"] if isinstance(file.value, dict) else file.value, encoding="utf-8-sig") as opened:
        assert [row["text"] for row in csv.DictReader(opened)] == ["The dog.", "The <i>cat</i>.", "soup"]
    pair = last("The dog. | The cat.\nsoup | hot", pairs=True)[3][0]
    assert [entry.text for entry in pair.results] == ["The dog.", "soup"]
    with pytest.raises(gr.Error, match="bad_value"):
        last("The dog.", pairs=True)
    with pytest.raises(gr.Error, match="empty_text"):
        last(" \n ")
    with pytest.raises(gr.Error, match="bad_value"):
        last("dog", models=())


def test_a_file_is_read_and_its_columns_offered(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "given.csv"
    path.write_bytes("id;sentence\n007;The dog\nNA;None\n".encode("utf-8-sig"))
    column, second, encoding, names, note = demo.on_file(str(path), "", None, request())
    assert (column.value, second.value) == ("sentence", "") and "2 rows" in note
    assert (encoding["value"], names.value) == ("UTF-8", True)
    *_, shown = demo.on_run("", False, str(path), "", None, "sentence", "", [MODEL], request())
    assert [entry.text for entry in shown[3][0].results] == ["The dog", "None"]
    *_, shown = demo.on_run("", False, str(path), "UTF-8", True, "id", "sentence", [MODEL], request())
    assert [entry.text for entry in shown[3][0].results] == ["007", "NA"]


def test_one_long_row_is_named_and_the_others_are_answered(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("text\nThe dog\n\nThe soup " + "dog " * 600 + "\nThe cat\n", encoding="utf-8")
    asked = ("", False, str(path), "", None, None, None, [MODEL], request())
    *_, (_, note, _, (answered,), *_) = demo.on_run(*asked)
    assert [entry.text for entry in answered.results] == ["The dog", "The cat"]
    assert "row 2 (60" in note and "at most 512" in note and "2 sentences" in note
    path.write_text("text\n" + "dog " * 600 + "\nThe cat\n", encoding="utf-8")
    *_, (cards, note, *_) = demo.on_run(*asked)
    assert cards.count("<article") == 1 and "row 1 (60" in note
    path.write_text("text\n" + "dog " * 6000 + "\nThe cat\n", encoding="utf-8")
    *_, (_, note, *_) = demo.on_run(*asked)
    assert "row 1 (24000 characters, at most 20000 on this server)" in note
    path.write_text("text\n" + "dog " * 600 + "\n" + "cat " * 600 + "\n", encoding="utf-8")
    with pytest.raises(gr.Error, match="row 1:.*too_long"):
        list(demo.on_run(*asked))


def test_a_file_of_names_alone_is_refused_by_both(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "names.csv"
    path.write_text("text,label\n", encoding="utf-8")
    with pytest.raises(gr.Error, match="no rows"):
        demo.on_file(str(path), "", None, request())
    with pytest.raises(gr.Error, match="no rows"):  # a hidden box is sent as one without a tick
        list(demo.on_run("", False, str(path), "", False, None, None, [MODEL], request()))


def test_a_first_line_that_is_a_row(tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("The dog ran,good\nThe soup,bad\nThe cat,good\nA cat,bad\n", encoding="utf-8")
    column, _, _, names, note = demo.on_file(str(path), "", None, request())
    assert column.value == "column 1" and names.value is False and "taken as a row" in note and "4 rows" in note
    column, _, _, names, note = demo.on_file(str(path), "", True, request())
    assert column.choices[0][0] == "The dog ran" and names.value is True and "3 rows" in note


def test_map(tiny: Path) -> None:
    results = last("The dog.\nThe cat.\nsoup\nsoup")[3]
    note, *maps = demo.on_map(results, "pca", request())
    assert note == "" and [plot.visible for plot in maps] == [True, False, False]
    assert sum(len(trace["x"]) for trace in sent(maps[0])["data"]) == 4
    assert sent(maps[0])["layout"]["xaxis"]["title"]["text"].startswith("PC 1, ")
    note, *maps = demo.on_map([], "pca", request())
    assert "at least three" in note and not any(plot.visible for plot in maps)


def test_links_and_languages(tiny: Path) -> None:
    lines, pairs, models, _ = demo.on_open(
        request(tab="classification", text="Hello", pairs="true", model=f"{MODEL},nope")
    )
    assert (lines, pairs, models.value) == ("Hello", True, [MODEL])
    lines, pairs, models, _ = demo.on_open(request(tab="fill_mask", text="Hello"))
    assert not pairs and lines != "Hello"
    assert models.value == ["topics-bert-ag-news"], "the published one that is on this machine"


def test_endpoints(server: str) -> None:
    answer = call(server, "classify", ["The dog.", "soup"], MODEL, [])
    assert set(answer) == {"model", "revision", "results", "kind"} and answer["model"] == MODEL
    assert set(answer["results"][0]) == {"text", "labels", "kind", "unknown"}
    assert sum(entry["probability"] for entry in answer["results"][1]["labels"]) == pytest.approx(1.0)
    vectors = call(server, "embed", ["The dog."], "bert-mini", -1, "mean")
    assert set(vectors) == {"model", "revision", "layer", "vectors", "unknown"} and vectors["layer"] == 2
    assert "unknown_model" in str(call(server, "classify", ["x"], "nobody's", []))


def test_a_checkpoint_of_the_hub_stays_chosen(set_variables: SetVariables) -> None:
    set_variables(HF_HUB_OFFLINE=None)
    assert labelled(demo.on_picker, ["someone/model", "nope"], request()).value == ["someone/model"]
    *_, models, _ = demo.on_open(request(tab="classification", model="someone/model"))
    assert models.value == ["someone/model"]
