"""The words-as-vectors tab: examples a reader accepts, escaped words, links, endpoints."""

from __future__ import annotations

from html import unescape

import gradio as gr
import pytest

from app.settings import BUNDLED
from app.tasks.word_vectors import analogy, word_vectors
from app.ui.texts import LANGUAGES, texts
from demos import word_vectors as demo
from tests.demos.client import clicked, request
from tests.plots import sent, told

EN, ZH = "word-vectors-mini", "word-vectors-mini-zh"
MODELS, MAPS = {"en": EN, "zh-CN": ZH}, {"en": "map.en", "zh-CN": "map.zh"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_have_neighbours_that_a_reader_accepts(language: str) -> None:
    for index, one in enumerate(texts("word_vectors")[language]["examples"]):
        word, model = demo.on_example(EN, request(lang=language), clicked(index))
        assert (word, model) == (one["word"], MODELS[language])
        near = {found.word.lower() for found in word_vectors(word, model).neighbours}
        assert set(one["near"]) <= near, near


@pytest.mark.parametrize("language", LANGUAGES)
def test_analogies_answer_as_they_are_shown(language: str) -> None:
    """Those without a note have the right word first, one with a note has not: that is what it teaches."""
    shown = texts("word_vectors")[language]["analogies"]
    assert [one for one in shown if "note" in one] == shown[-1:], "what fails comes last"
    for index, one in enumerate(shown):
        first, second, third, model = demo.on_analogy_example(EN, request(lang=language), clicked(index))
        answers = [found.word.lower() for found in analogy(first, second, third, model).answers]
        assert ("note" not in one) == (answers[0] == one["fourth"]), answers
        drawn = demo.on_analogy(first, second, third, model, request(lang=language))
        noted = one.get("note") and texts("word_vectors")[language][one["note"]]
        assert not noted or noted in unescape(drawn)


def test_what_a_visitor_writes_stays_text() -> None:
    with pytest.raises(gr.Error) as caught:
        demo.on_run("<b>kingg</b>", EN, request())
    assert "<b>" not in str(caught.value) and "word_not_found" in str(caught.value)
    drawn = demo.on_one_vector("<i>sense</i> | The <b>bank</b> lent.\nA bank.", "bank", EN, "bert-mini", request())
    assert "<b>bank</b>" in drawn and "&lt;b&gt;" in drawn and "<i>sense" not in drawn


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_stands_on_the_map_in_the_pages_language(language: str) -> None:
    word = texts("word_vectors")[language]["examples"][0]["word"]
    drawn, plot = demo.on_run(word, MODELS[language], request(lang=language))
    figure = sent(plot)
    groups = texts("word_vectors")[language][MAPS[language]]
    assert [trace["name"] for trace in figure["data"]] == [*(group["name"] for group in groups), word]
    assert figure["layout"]["xaxis"]["title"]["text"].startswith("PC 1, ") and word in told(plot) and word in drawn


def test_the_other_languages_vectors_may_be_asked() -> None:
    _, plot = demo.on_run("国王", ZH, request())
    assert sent(plot)["data"][0]["name"] == "animals"


def test_a_link_fills_the_page() -> None:
    word, model, *three = demo.on_open(request(tab="word_vectors", word="北京", first="a", third="c"))[:5]
    assert (word, model.value, three) == ("北京", ZH, ["a", "king", "c"])
    assert demo.on_open(request(tab="word_vectors", model=ZH))[1].value == ZH
    assert demo.on_open(request(tab="word_vectors", model="nope"))[1].value == EN
    assert demo.on_open(request(lang="zh-CN"))[1].value == ZH


def test_the_vectors_are_small_enough_to_send_along() -> None:
    for name in (EN, ZH):
        assert sum(path.stat().st_size for path in (BUNDLED / name).iterdir()) < 5_200_000
