"""The tokens tab: rows beside unavailable ones, draws that repeat, links, endpoint."""

from __future__ import annotations

import base64
import re
from html import unescape
from pathlib import Path

import gradio as gr
import numpy as np
import pytest

from app.registry.lookup import BY_NAME
from app.ui.texts import LANGUAGES, texts
from demos import tokenization as demo
from tests.demos.client import call, clicked, request
from tests.plots import sent, told


def test_a_tokenizer_that_cannot_be_had_says_why_in_its_place(tiny: Path) -> None:
    drawn = demo.on_run("The dog.", ["gpt2", "bert-base-cased"], True, request())
    assert "bert-base-cased: " in drawn
    assert "works offline" in drawn
    assert "<h3>gpt2, from this server's own folder" in unescape(drawn)
    assert "<h3>ELMo</h3>" in drawn


@pytest.mark.parametrize(("models", "elmo"), [([], False), (None, False), (["gpt2"] * 7, True)])
def test_none_or_too_many_are_refused(models: list[str], elmo: bool) -> None:
    with pytest.raises(gr.Error, match="bad_value"):
        demo.on_run("hi", models, elmo, request())


def test_errors_are_sentences_in_the_visitors_language(tiny: Path) -> None:
    with pytest.raises(gr.Error, match="请先写点内容"):
        demo.on_run(" ", ["gpt2"], False, request(lang="zh-CN"))


def test_the_same_number_draws_the_same_masks(tiny: Path) -> None:
    text = "The dog barked at the cat, and the cat ran away from the dog."
    seeds = (4, 4, demo.on_draw_again(4))
    first, again, other = (demo.on_draw(text, "bert-base-uncased", seed, request()) for seed in seeds)
    for kind, read in ((0, str), (1, sent), (2, sent)):
        assert read(first[kind]) == read(again[kind]) != read(other[kind])


def test_positions_of_a_model_without_its_reserved_rows(tiny: Path) -> None:
    figures = demo.on_positions("roberta-base", request())
    for figure in figures:
        (matrix,) = sent(figure)["data"]
        assert matrix["z"]["shape"] == "512, 512"
        cosines = np.frombuffer(base64.b64decode(matrix["z"]["bdata"]), np.int8).reshape(512, 512)
        assert (np.diagonal(cosines) == 100).all()
        neighbours = np.diagonal(cosines, 1).mean() / 100
        said = float(re.search(r" 1 apart: (-?[\d.]+)", told(figure)).group(1))
        assert said == pytest.approx(neighbours, abs=0.011)
    assert "512 positions of 32 numbers" in told(figures[0])
    with pytest.raises(gr.Error, match="unknown_model"):
        demo.on_positions("nope", request())


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_go_into_the_page_and_can_be_cut(tiny: Path, language: str) -> None:
    for index, example in enumerate(texts("tokenization")[language]["examples"]):
        text = demo.on_example(request(lang=language), clicked(index))
        assert text == example["text"]
        assert "\ufffd" not in demo.on_run(text, ["gpt2", "albert-base-v2"], True, request(lang=language))


def test_a_link_fills_the_page(tiny: Path) -> None:
    text, models, *_ = demo.on_open(request(tab="tokenization", text="linked", model="gpt2,nope,roberta-base"))
    assert (text, models.value) == ("linked", ["gpt2", "roberta-base"])
    text, models, *_ = demo.on_open(request(tab="other", text="linked"))
    assert text == texts("tokenization")["en"]["examples"][0]["text"]
    families = [BY_NAME[name].family for name in models.value]
    assert {"bert", "roberta", "albert", "gpt2"} <= set(families)
    assert len(families) == len(set(families)), "one checkpoint of each kind"


def test_endpoint(server: str) -> None:
    answer = call(server, "tokenize", "😀 playing [SEP]", "gpt2")
    assert set(answer) == {"model", "revision", "tokens"}
    assert set(answer["tokens"][0]) == {"token", "piece", "token_id", "start", "end", "special"}
    assert {(token["start"], token["end"]) for token in answer["tokens"][:2]} == {(0, 1)}
    assert "(empty_text)" in str(call(server, "tokenize", "", "gpt2"))
