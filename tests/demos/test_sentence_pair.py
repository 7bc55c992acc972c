"""The sentence-pair tab: words instead of label numbers, escaped text, the picker's reasons, links, endpoints."""

from __future__ import annotations

import json
from pathlib import Path

import gradio as gr
import pytest

from app.registry.lookup import BY_NAME
from app.results.sentence_pair import LabelProbability, PairAccuracy, SentencePairResult, TopicTrapResult
from app.tasks.sentence_pair.judge import LABELS
from app.tasks.sentence_pair.order import Puzzle, moved
from app.ui.texts import examples, texts
from app.views.heat_map import plot_heat_map
from app.views.sentence_pair import draw_sentence_pair
from app.views.topic_trap import draw_accuracies, plot_topic_trap
from demos import sentence_pair as demo
from tests.about import ABOUT
from tests.demos.client import call, clicked, request
from tests.plots import sent
from tests.views.test_plots import markup

BERT, ALBERT = "bert-base-uncased", "albert-base-v2"
LANGUAGES = ("en", "zh-CN")


def result(first: float, swapped: float, objective: str = "nsp") -> SentencePairResult:
    """A verdict with these probabilities of label 0."""
    labels, other = (
        [LabelProbability(label, share) for label, share in zip(LABELS[objective], (p, 1 - p), strict=True)]
        for p in (first, swapped)
    )
    return SentencePairResult("m", "r", objective, labels, other)


@pytest.mark.parametrize(
    ("objective", "words"), [("nsp", ("follows", "does not follow")), ("sop", ("in order", "swapped"))]
)
def test_verdicts_are_words(objective: str, words: tuple[str, str]) -> None:
    drawn = draw_sentence_pair(result(0.953, 0.2, objective), ABOUT, texts("sentence_pair")["en"])
    assert all(f">{word}</span>" in drawn for word in words)
    assert "95.3%" in drawn and "LABEL_" not in drawn


def test_follows_both_ways_is_remarked() -> None:
    labels = texts("sentence_pair")["en"]
    assert "whichever comes first" in draw_sentence_pair(result(0.9, 0.8), ABOUT, labels)
    assert "whichever comes first" not in draw_sentence_pair(result(0.9, 0.3), ABOUT, labels)
    assert "whichever comes first" not in draw_sentence_pair(result(0.9, 0.8, "sop"), ABOUT, labels)


def test_heat_map() -> None:
    said = {"told": "told", "name": "n", "scale": "x & <i>y", "axes": ("<u>", "across")}
    drawn = plot_heat_map(["<a>"], ["b", "c"], [[None, 0.256]], **said, outlined={(0, 1)})
    assert markup(drawn) <= {"<br>", "<extra>", "</extra>"} and drawn.layout.yaxis.ticktext == ("&lt;a&gt;",)
    (cells,) = drawn.data
    assert cells.z == ([None, 25.6],) and drawn.layout.title.text == "x &amp; &lt;i&gt;y"
    (frame,) = drawn.layout.shapes
    assert (frame.x0 + frame.x1, frame.y0 + frame.y1) == (2, 0)
    assert drawn.layout.meta["table"] == {"columns": ["", "b", "c"], "rows": [["<a>", None, 0.256]]}


def test_trap_and_table() -> None:
    labels = texts("sentence_pair")["en"]
    drawn = plot_topic_trap([TopicTrapResult("m", "nsp", [0.99, 0.97, 0.04])], labels)
    assert [row for (row,) in drawn.data[0].z] == [99, 97, 4] and drawn.layout.xaxis.ticktext == ("m (NSP)",)
    table = draw_accuracies(demo.PUBLISHED, [PairAccuracy("bert-mini", "nsp", 0.8, 0.52)], labels)
    for shown in ("90.5", "52.0", "78.9", "86.5", "NSP (bert-mini, measured here)", "80.0"):
        assert shown in table


def test_run_swap_and_remarks(tiny: Path) -> None:
    answers, note = demo.on_run("The <b>dog</b>.", "The cat.", [BERT, ALBERT], request())
    assert answers.count("<article") == 2 and note == "" and "<b>dog" not in answers
    _, note = demo.on_run("The dog.", "The dog.", [BERT], request())
    assert "same sentence" in note
    _, note = demo.on_run("The dog.", "The dog.", [BERT], request(lang="zh-CN"))
    assert "同一句话" in note


@pytest.mark.parametrize("models", [[], None, [BERT, ALBERT, BERT, ALBERT]])
def test_number_of_models(tiny: Path, models: list[str]) -> None:
    with pytest.raises(gr.Error, match="bad_value"):
        demo.on_run("One.", "Two.", models, request())


def test_errors_are_sentences_in_the_visitors_language(tiny: Path) -> None:
    with pytest.raises(gr.Error, match=r"was not trained for this.*\(wrong_model\)"):
        demo.on_run("One.", "Two.", ["roberta-base"], request())
    with pytest.raises(gr.Error, match=r"3007 个词元.*\(too_long\)"):
        demo.on_run("One.", "dog " * 3000, [BERT], request(lang="zh-CN"))


def test_picker_says_why_there_is_no_head(tiny: Path) -> None:
    picker = demo.on_open(request())[2]
    labels = {name: label for label, name in picker.choices}
    assert "no such head: RoBERTa dropped NSP" in labels["roberta-base"]
    assert "SOP" in labels[ALBERT] and "NSP" in labels[BERT]
    assert picker.value == ["bert-mini", "albert-mini"], "one of each question, bundled ones first"
    assert all(BY_NAME[name].family != "roberta" for name in picker.value)


def test_a_link_fills_the_page(tiny: Path) -> None:
    query = {"tab": "sentence_pair", "first": "<i>One", "second": "Two", "model": f"{BERT},nope,{ALBERT}"}
    first, second, picker, *_ = demo.on_open(request(**query))
    assert (first, second, picker.value) == ("<i>One", "Two", [BERT, ALBERT])
    assert demo.on_open(request(**query | {"tab": "fill_mask"}))[0] != "<i>One"


def test_trap(tiny: Path) -> None:
    plot, accuracies = demo.on_trap("The dog barked.", "The cat ran.", "The soup is hot.", [BERT, ALBERT], request())
    drawn = sent(plot)
    assert drawn["layout"]["meta"]["table"]["columns"] == ["", f"{BERT} (NSP)", f"{ALBERT} (SOP)"]
    assert len(drawn["data"][0]["z"]) == 3 and "52.0" in accuracies


def test_paragraph(tiny: Path) -> None:
    asked_too_early, *nothing = demo.on_compare("", [BERT], [], Puzzle(), request())
    assert "Shuffle" in asked_too_early and [sent(plot) for plot in nothing] == [None] * 3
    drawn, puzzle, *_ = demo.on_shuffle("The dog.\n<b>The cat.\nThe soup.", Puzzle(), request())
    assert puzzle.order != (0, 1, 2) and "&lt;b&gt;The cat." in drawn
    assert moved(puzzle, [2, 0, 1]).order == (2, 0, 1)
    for nonsense in ([0, 1], [0, 0, 1], "012", [True, 0, 2], None):
        assert moved(puzzle, nonsense) == puzzle
    compared, *plots = demo.on_compare("", [ALBERT], [2, 0, 1], puzzle, request())
    assert "3 1 2" in compared and "best of 6" in compared and "asks about topic" not in compared
    matrix = sent(plots[0])
    assert [row[place] for place, row in enumerate(matrix["data"][0]["z"])] == [None] * 3
    assert len(matrix["layout"]["shapes"]) == 2 and [sent(plot) for plot in plots[1:]] == [None, None]
    assert "asks about topic" in demo.on_compare("", [BERT], [2, 0, 1], puzzle, request())[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples(language: str) -> None:
    labels = texts("sentence_pair")[language]
    assert len(labels["examples"]) >= 10 and set(labels["trap"]) == {"first", "second", "other"}
    for example in labels["examples"]:
        assert example["nsp"] in LABELS["nsp"] and example.get("sop", "in_order") in LABELS["sop"]
        assert example.get("note", "title") in labels
    assert all(2 <= len(sample["text"].splitlines()) <= 8 for sample in labels["paragraphs"])


@pytest.mark.parametrize("index", range(2))
def test_prepared_texts_go_into_the_page(tiny: Path, index: int) -> None:
    chosen = examples("en", "sentence_pair")[index]
    assert demo.on_example([BERT], request(), clicked(index)) == (chosen["first"], chosen["second"], [BERT])
    assert "\n" in demo.on_paragraph([BERT], request(), clicked(index))[0]
    (chinese,) = demo.on_example([BERT], request(lang="zh-CN"), clicked(0))[2]
    assert BY_NAME[chinese].language == "zh"


def test_endpoints(server: str) -> None:
    pair = call(server, "sentence_pair", "The dog barked.", "The cat ran.", BERT)
    assert set(pair) == {"model", "revision", "objective", "labels", "swapped", "unknown"}
    assert [entry["label"] for entry in pair["labels"]] == ["is_next", "not_next"]
    assert sum(entry["probability"] for entry in pair["labels"]) == pytest.approx(1.0)
    matrix = call(server, "sentence_matrix", ["The dog barked.", "The cat ran.", "The soup."], ALBERT)
    assert set(matrix) == {"model", "revision", "objective", "probability", "unknown"} and matrix["objective"] == "sop"
    assert [row[place] for place, row in enumerate(matrix["probability"])] == [None, None, None]
    for arguments, code in (
        (("sentence_pair", "One.", "", BERT), "(empty_text)"),
        (("sentence_pair", "One.", "Two.", "roberta-base"), "(wrong_model)"),
        (("sentence_pair", "One.", "dog " * 3000, BERT), "3007 tokens and this model reads at most 512. (too_long)"),
        (("sentence_matrix", [str(number) for number in range(9)], BERT), "there are 9 now. (bad_value)"),
        (("sentence_matrix", ["One."], BERT), "(bad_value)"),
    ):
        assert code in json.dumps(call(server, *arguments), ensure_ascii=False)
