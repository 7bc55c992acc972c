"""The surprise tab: bits of whole texts, two compared, minimal pairs decided; escaped text, bad lines, links."""

from __future__ import annotations

import math
from pathlib import Path

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.results.prompting import MinimalPair, MinimalPairsResult
from app.tasks.surprise.minimal_pairs import minimal_pairs, read_pairs
from app.tasks.surprise.score import score
from app.ui.texts import texts
from app.views.surprise import draw_pairs
from demos import surprise as demo
from tests.about import ABOUT
from tests.demos.client import clicked, request
from tests.plots import sent

LANGUAGES = ("en", "zh-CN")


def test_pairs_are_decided_by_log_probability(tiny: Path) -> None:
    lines = "The dog barked. | The barked dog.\nI love you. | You love I."
    for model in ("gpt2", "bert-mini"):
        result = minimal_pairs(lines, model)
        right = 0
        for pair in result.pairs:
            assert pair.good_log_probability == pytest.approx(score(pair.good, model).log_probability)
            assert pair.bad_log_probability == pytest.approx(score(pair.bad, model).log_probability)
            right += pair.good_log_probability > pair.bad_log_probability
        assert result.model == model and result.accuracy == right / 2


def test_drawn_pairs() -> None:
    pairs = [MinimalPair("<i>a", "b", -math.log(2), -2 * math.log(2)), MinimalPair("c", "d", -3.0, -1.0)]
    drawn = draw_pairs(MinimalPairsResult("m", pairs, 0.5), ABOUT, texts("surprise")["en"])
    assert "<i>" not in drawn and "+1.0" in drawn and "-2.9" in drawn and "1 of 2 pairs" in drawn


def test_two_texts_are_compared(tiny: Path) -> None:
    drawn = demo.on_run("The dog <b>barked</b>.", "The cat ran away.", "gpt2", request())
    assert drawn.count("<article") == 3 and "<b>barked" not in drawn and "more natural" in drawn
    assert demo.on_run("The dog.", "", "gpt2", request()).count("<article") == 1


def test_bits_are_drawn_token_by_token(tiny: Path) -> None:
    hostile = "The dog <b>barked</b>."
    two = [sent(plot) for plot in demo.on_bits(hostile, "The cat ran.", "gpt2", request())]
    for text, drawn in zip((hostile, "The cat ran."), two, strict=True):
        tokens = score(text, "gpt2").tokens
        bars, mean = drawn["data"]
        bits = [-token.log_probability / math.log(2) for token in tokens]
        assert bars["y"] == pytest.approx(bits) and mean["y"] == pytest.approx([sum(bits) / len(bits)] * len(bits))
        assert [row[0] for row in drawn["layout"]["meta"]["table"]["rows"]] == [token.token for token in tokens]
        assert not any("<" in said for said in [*bars["hovertext"], *drawn["layout"]["xaxis"]["labelalias"].values()])
    assert two[0]["layout"]["yaxis"]["range"] == two[1]["layout"]["yaxis"]["range"], "one scale for both"
    assert sent(demo.on_bits("The dog.", " ", "gpt2", request())[1]) is None


@pytest.mark.parametrize("lines", ["no bar", "only good |", "| only bad"])
def test_lines_that_are_no_pair_are_refused(lines: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        read_pairs(lines)
    assert caught.value.key == "bad_value.pairs"


def test_too_many_pairs_are_refused(tiny: Path) -> None:
    with pytest.raises(gr.Error, match="bad_value"):
        demo.on_pairs("a | b\n" * 31, "gpt2", request())


@pytest.mark.parametrize("language", LANGUAGES)
def test_prepared_texts(language: str) -> None:
    labels = texts("surprise")[language]
    for index, prepared in enumerate(labels["pairs"]):
        lines, model = demo.on_pairs_example("gpt2", request(lang=language), clicked(index))
        assert model == ("gpt2-mini-zh" if prepared["name"] == "中文的语序" else "gpt2")
        assert len(read_pairs(lines)) == len(prepared["lines"]) >= 4
    model = {"en": "gpt2", "zh-CN": "gpt2-mini-zh"}[language]
    assert demo.on_example("gpt2", request(lang=language), clicked(1)) == (*labels["examples"][1].values(), model)


def test_a_page_in_chinese_begins_with_a_model_that_reads_it(tiny: Path) -> None:
    first, _, model, *_ = demo.on_open(request(lang="zh-CN"))
    assert (first, model.value) == ("北京是中国的首都。", "gpt2-mini-zh")


def test_a_link_fills_the_page(tiny: Path) -> None:
    query = {"tab": "surprise", "first": "<i>One", "second": "", "model": "gpt2"}
    first, second, model, *_ = demo.on_open(request(**query))
    assert (first, second, model.value) == ("<i>One", "", "gpt2")
