"""The word-sense tab: sets, escaped text, links, endpoints."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import pytest

from app.registry.lookup import BY_NAME, for_task, readers
from app.results.word_sense import NearWord, Neighbourhood
from app.tasks.word_sense.occurrences import check_sentences, find_occurrences
from app.ui.texts import texts
from app.views.neighbourhood import draw_neighbourhood
from demos import word_sense as demo
from tests.demos.client import call, clicked, request
from tests.plots import sent

ELMO = "elmo-original"
LANGUAGES = ("en", "zh-CN")
LINES = "water | on the bank of the river\nmoney | the <b>bank</b> closed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_prepared_words_are_found_and_labelled(language: str) -> None:
    sets = texts("word_sense")[language]["examples"]
    assert len(sets) >= 12
    for one in sets:
        found = find_occurrences(check_sentences(one["lines"]), one["word"])
        assert {at.sentence for at in found} == set(range(len(one["lines"]))), one["word"]
        labels = [at.sense for at in found]
        assert None not in labels and min(labels.count(label) for label in labels) >= 2


def test_each_language_begins_with_its_own_words_and_has_the_same_ones() -> None:
    english, chinese = ([one["word"] for one in texts("word_sense")[language]["examples"]] for language in LANGUAGES)
    assert english[0].isascii() and not chinese[0].isascii()
    assert {*english} <= {*chinese}


LOOK = ("pca", 2, "sense")
# Of each place: what the names in `ui/components/sense_place.outputs` say, in that order.
PART = ("column", "heading", "points", "sentences", "below", "layers", "unmeasured", "pairs", "cosines", "numbers")
REST = ("folded", "near", "note", "question", "row", "mixer")


def run(lines: str, word: str, model: str, other: str = "", *look: object, **query: str) -> dict[str, object]:
    """What a press on the button gives: both places, what lies near, the note, what is kept."""
    return named(demo.on_run(lines, word, model, other, False, *(look or LOOK), request(**query)))


def named(answer: list[object]) -> dict[str, object]:
    """The outputs by their names."""
    size = len(PART)
    places = [dict(zip(PART, answer[start : start + size], strict=True)) for start in (0, size)]
    return {"places": places, **dict(zip(REST, answer[2 * size :], strict=False))}


def test_run_one_or_two_models(tiny: Path) -> None:
    answer = run(LINES, "bank", ELMO, "bert-mini")
    first, second = answer["places"]
    assert ELMO in first["heading"] and "bert-mini" in second["heading"] and answer["near"] == ""
    assert first["column"].visible and second["column"].visible and "no result of" not in answer["note"]
    assert first["pairs"].visible and second["pairs"].visible and answer["folded"].visible
    assert "<details>" not in first["sentences"] and "<details><summary>The sentences of" in second["sentences"]
    assert answer["row"].visible and answer["mixer"].visible
    meta = sent(first["points"])["layout"]["meta"]
    assert [frame["name"] for frame in meta["frames"]] == ["0", "1", "2"] and meta["words"]["layer"] == "Layer"
    groups = {sent(first[part])["layout"]["meta"]["group"] for part in ("points", "cosines", "layers")}
    assert len(groups) == 1 and groups.isdisjoint({sent(second["points"])["layout"]["meta"]["group"]})
    answer = run(LINES, "bank", "bert-mini", lang="zh-CN")
    first, second = answer["places"]
    assert not any(second[part].visible for part in ("column", "below", "pairs")) and sent(second["points"]) is None
    assert answer["folded"].visible
    assert sent(first["points"])["layout"]["meta"]["words"]["layer"] == "层" and not answer["mixer"].visible


def test_static_vectors_alone_have_nothing_to_unfold(tiny: Path) -> None:
    static = "word-vectors-mini"
    answer = run(LINES, "bank", static)
    first, _ = answer["places"]
    assert first["column"].visible and not first["below"].visible and not first["pairs"].visible
    assert not answer["folded"].visible
    answer = run(LINES, "bank", static, ELMO)
    first, second = answer["places"]
    assert not first["pairs"].visible and second["pairs"].visible and answer["folded"].visible


def test_without_labels_it_says_how_to_get_numbers(tiny: Path) -> None:
    answer = run("on the bank of the river\nthe bank closed", "bank", ELMO)
    first, _ = answer["places"]
    assert first["below"].visible and sent(first["layers"]) is None and first["numbers"] == ""
    assert "Label at least two senses" in first["unmeasured"]
    assert answer["folded"].visible and sent(first["cosines"])


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_a_second_model_that_fails_leaves_the_first_alone(tiny: Path, language: str) -> None:
    answer = run("龘\n龘", "龘", ELMO, "word-vectors-mini", lang=language)
    first, second = answer["places"]
    assert ELMO in first["heading"] and not second["column"].visible
    assert answer["question"].models == (ELMO,)
    note = answer["note"]
    assert "word-vectors-mini" in note and "龘" in note and "(word_not_found)" in note


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_a_prepared_word_never_brings_a_second_model_that_cannot_read_it(tiny: Path, language: str) -> None:
    for index, one in enumerate(texts("word_sense")[language]["examples"]):
        for other in ("word-vectors-mini", "gpt2-mini-zh", ""):
            _, _, model, beside = demo.on_example(ELMO, other, request(lang=language), clicked(index))
            known = {name for name in (model, beside) if name}
            chinese = not one["word"].isascii()
            assert {BY_NAME[name].language for name in known} == {"zh" if chinese else "en"}


def test_errors_are_sentences_in_the_visitors_language(tiny: Path) -> None:
    with pytest.raises(gr.Error, match=r"holds the word “stone”.*\(word_not_found\)"):
        run(LINES, "stone", ELMO)
    with pytest.raises(gr.Error, match=r"这些句子里都没有“stone”.*\(word_not_found\)"):
        run(LINES, "stone", ELMO, lang="zh-CN")
    with pytest.raises(gr.Error, match=r"&lt;b&gt;.*\(word_not_found\)"):
        run("x", "a<b>x", ELMO)


def test_other_ways_of_looking_at_it(tiny: Path) -> None:
    question = run(LINES, "bank", ELMO, "bert-mini")["question"]
    first, second = named(demo.on_look(question, "pca", 3, "cluster", request()))["places"]
    for place in (first, second):
        figure = sent(place["points"])
        assert figure["data"][0]["type"] == "scatter3d" and figure["layout"]["meta"]["stays"]
        assert any(trace["name"].startswith("group 1") for trace in figure["data"][1:])
    answer = demo.on_mix(question, "pca", 2, "sense", 0, 0, 1, request())
    first, second = named(answer)["places"]
    assert answer[-1].weights == [0, 0, 1] and question.weights is None
    mixed, other = sent(first["points"])["layout"]["meta"], sent(second["points"])["layout"]["meta"]
    assert mixed["start"] == "mix" and [frame["name"] for frame in mixed["frames"]] == ["0", "1", "2", "mix"]
    assert other["stays"] and "mix" not in [frame["name"] for frame in other["frames"]]
    assert re.search(r"data-frame='mix'>.*<td>0\.500</td></tr>", first["numbers"])
    with pytest.raises(gr.Error, match=r"\(bad_value\)"):
        demo.on_look(question, "lda", 2, "sense", request())


def test_what_lies_near(tiny: Path) -> None:
    question = run(LINES, "bank", ELMO)["question"]
    drawn = demo.on_near(question, request(), SimpleNamespace(model=ELMO, occurrence=0, layer="2"))
    assert (
        "&lt;b&gt;" in drawn
        and "<b>bank</b> closed" not in drawn
        and "near-expected" in drawn
        and "data-layer='2'" in drawn
    )
    mixed = replace(question, weights=[0.0, 0.0, 1.0])
    drawn = demo.on_near(mixed, request(), SimpleNamespace(model=ELMO, occurrence=0, layer="mix"))
    assert "data-layer='mix'" in drawn
    for occurrence, layer in ((0, "-1"), (0, "x"), (9, "2"), (0, "9"), (0, None), (0, "mix")):
        with pytest.raises(gr.Error, match=r"\(bad_value\)"):
            demo.on_near(question, request(), SimpleNamespace(model=ELMO, occurrence=occurrence, layer=layer))


@pytest.mark.parametrize("language", LANGUAGES)
def test_neighbourhood(language: str) -> None:
    labels = texts("word_sense")[language]
    word = NearWord("<i>", 0.875, "an <i> here", 3, 6)
    near = Neighbourhood("m", "mix", "x bank y", 2, 6, [word], "vectors", [NearWord("<u>", 0.5, None, None, None)], [])
    drawn = draw_neighbourhood(near, labels)
    assert "x <b>bank</b> y" in drawn and "an <b>&lt;i&gt;</b> here" in drawn and "0.88" in drawn
    assert "&lt;u&gt;" in drawn and labels["near_mix"] in drawn and "near-expected" not in drawn
    alone = Neighbourhood("m", 0, "bank", 0, 4, [], "", [], [[("a", 0.5)], [("b", 0.25)]])
    drawn = draw_neighbourhood(alone, labels)
    assert labels["near_none"] in drawn and "50.0%" in drawn and "near-static" not in drawn


def test_a_link_fills_the_page(tiny: Path) -> None:
    query = {"tab": "word_sense", "lines": "a bank", "word": "bank", "model": ELMO, "forms": "true"}
    lines, word, model, other, forms, _ = demo.on_open(request(**query))
    assert (lines, word, model.value, other.value, forms) == ("a bank", "bank", ELMO, "", True)
    *_, unknown, _, _, _ = demo.on_open(request(**query | {"model": "nope"}))
    assert unknown.value != "nope"
    assert demo.on_open(request(**query | {"tab": "fill_mask"}))[0] != "a bank"


def test_the_page_begins_with_the_best_model_and_another_kind_beside_it(tiny: Path) -> None:
    for language in ("en", "zh-CN"):
        _, _, model, other, *_ = demo.on_open(request(lang=language))
        word = texts("word_sense")[language]["examples"][0]["word"]
        assert [model.value] == readers([for_task("word_sense")[0].name], word, "word_sense")
        if language == "en":
            assert BY_NAME[other.value].family == "elmo" != BY_NAME[model.value].family


def test_a_prepared_word_brings_its_model(tiny: Path) -> None:
    sets = texts("word_sense")["en"]["examples"]
    lines, word, model, _ = demo.on_example(ELMO, "", request(), clicked(0))
    assert (lines, word, model) == ("\n".join(sets[0]["lines"]), sets[0]["word"], ELMO)
    chinese = next(number for number, one in enumerate(sets) if not one["word"].isascii())
    assert BY_NAME[demo.on_example(ELMO, "", request(), clicked(chinese))[2]].language == "zh"


def test_the_endpoint(server: str) -> None:
    sentences = ["water | on the bank of the river", "money | the bank closed", "money | Bank!"]
    answer = call(server, "word_sense", sentences, "bank", ELMO, -1)
    assert set(answer) == {
        "model", "revision", "layer", "layers", "occurrences", "similarity", "projection", "senses", "unknown",
    }  # fmt: skip
    assert (answer["model"], answer["layer"], answer["layers"]) == (ELMO, 2, 2)
    for at in answer["occurrences"]:
        assert set(at) == {"sentence", "start", "end", "text", "sense"}
        assert sentences[at["sentence"]][at["start"] : at["end"]] == at["text"]
    assert {"same", "different", "margin", "one_nn_accuracy"} <= set(answer["senses"])
    assert call(server, "word_sense", sentences, "bank", ELMO, "mix")["layer"] == "mix"
    assert call(server, "word_sense", ["the bank"], "bank", "", -1)["senses"] is None
    for arguments, code in (
        ((sentences, "stone", ELMO, -1), "(word_not_found)"),
        (([*sentences] * 34, "bank", ELMO, -1), "there are 102 now. (bad_value)"),
        ((sentences, "b" * 300, ELMO, -1), "(bad_value)"),
        ((["", " "], "bank", ELMO, -1), "(empty_text)"),
        ((sentences, "bank", ELMO, 3), "“mix” for ELMo. (bad_value)"),
        ((sentences, "bank", "bert-mini", "mix"), "(bad_value)"),
        ((sentences, "bank", "elmo-small", -1), "(model_unavailable)"),
    ):
        assert code in json.dumps(call(server, "word_sense", *arguments), ensure_ascii=False)
