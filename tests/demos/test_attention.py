"""The attention tab: the component's data and requests, escaped drawings, links, endpoints."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import numpy as np
import pytest

from app.registry.packages import BERTVIZ_HEAD, D3, JQUERY
from app.tasks.attention import bertviz
from app.tasks.attention.attend import see
from app.tasks.attention.page import row, table
from app.ui.components.attention import serve
from app.ui.texts import LANGUAGES, texts
from demos import attention as demo
from tests.demos.client import call, clicked, request

BERT, GPT2 = "bert-base-uncased", "gpt2"
ATTACK = "</script><script>alert(1)</script> <img src=x onerror=alert(1)>"
SOURCE = {"text": "The dog barked.", "second": "", "model": GPT2}


def test_two_models_side_by_side(tiny: Path) -> None:
    first, other, column, steps, note = demo.on_run("The dog barked.", "", BERT, GPT2, request())
    first, other = json.loads(first), json.loads(other)
    assert (first["causal"], other["causal"], column.visible, steps, note) == (False, True, True, "", "")
    assert first["labels"]["mode.lines"] == "Lines"
    first, other, column, *_ = demo.on_run("The dog barked.", "", BERT, "", request())
    assert (other, column.visible) == (None, False)


def test_labels_of_the_component_are_all_there_in_every_language(tiny: Path) -> None:
    for language in LANGUAGES:
        labels = json.loads(demo.on_run("hi", "", BERT, "", request(lang=language))[0])["labels"]
        for mode in ("lines", "matrix", "grid", "rollout", "roles"):
            assert labels[f"mode.{mode}"] and labels[f"help.{mode}"]


def test_exact_numbers_come_from_the_models_weights(tiny: Path) -> None:
    weights = see("The dog barked.", "", GPT2).weights
    exact = serve(row)({**SOURCE, "layer": 1, "heads": [0, 1], "query": 2}, request())["weights"]
    assert exact == weights[1].mean(axis=0)[2].astype(float).tolist()
    whole = serve(table)({**SOURCE, "layer": 0, "heads": [1]}, request())["weights"]
    assert np.abs(np.array(whole) - weights[0, 1]).max() < 1e-8
    rolled = serve(table)({**SOURCE, "layer": 1, "heads": None}, request())["weights"]
    assert np.array(rolled).sum(axis=-1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize(
    "change",
    [
        {"layer": 99},
        {"layer": None},
        {"heads": [7]},
        {"query": -9},
        {"query": 400},
        {"query": None},
        {"model": "x"},
        {"text": None},
        {"heads": []},
        {"heads": "0"},
        {"text": " "},
        {"second": None},
    ],
)
def test_what_a_page_would_not_send_is_refused_with_a_sentence(tiny: Path, change: dict) -> None:
    asked = {**SOURCE, "layer": 0, "heads": [0], "query": 1, **change}
    assert serve(row)(asked, request())["error"].endswith(".")


def test_steps_show_the_numbers_and_the_mask_of_a_causal_model(tiny: Path) -> None:
    event = SimpleNamespace(**SOURCE, layer=0, head=1, query=1)
    drawn = demo.on_steps(request(), event)
    assert "−∞" in drawn
    weight = see("The dog barked.", "", GPT2).weights[0, 1, 1, 0]
    assert f"{weight:.6f}" in drawn
    assert f"√d<sub>k</sub> = {math.sqrt(16):.4f}" in drawn


def test_drawings_are_escaped(tiny: Path) -> None:
    event = SimpleNamespace(text=ATTACK, second="", model=BERT, layer=0, head=0, query=1)
    for drawn in (
        demo.on_steps(request(), event),
        demo.on_predict(ATTACK + " [MASK]", BERT, request()),
        demo.on_predict(ATTACK, GPT2, request()),
    ):
        assert "<script" not in drawn
        assert "<img" not in drawn


def test_predictions_say_from_which_layer_on_the_answer_stands(tiny: Path) -> None:
    drawn = demo.on_predict("The [MASK] barked at the ___.", BERT, request())
    assert drawn.count("<section>") == 2
    assert "comes first from layer" in drawn
    assert demo.on_predict("word " * 40, GPT2, request()).count("<section>") == 24


@pytest.mark.parametrize("language", LANGUAGES)
def test_bertviz_says_its_reach_and_opens_escaped(tiny: Path, language: str) -> None:
    if BERTVIZ_HEAD.find() is None or D3.find() is None or JQUERY.find() is None:
        pytest.skip("needs bertviz, mpld3 and sphinxcontrib-jquery (requirements-packs.txt)")
    said, *buttons, frame = demo.on_reach("hi dog", "", BERT, request(lang=language))
    assert ([button.interactive for button in buttons], frame) == ([True, True], "")
    assert texts("attention")[language]["bertviz_head"] in said and "MB" in said
    said, *buttons, _ = demo.on_reach("dog cat " * 200, "", BERT, request(lang=language))
    assert [button.interactive for button in buttons] == [False, False]
    drawn = demo.on_bertviz("head")(ATTACK, "", BERT, request(lang=language))
    assert drawn.startswith("<iframe") and "<script" not in drawn and "<img" not in drawn
    with pytest.raises(gr.Error, match="too_long"):
        demo.on_bertviz("model")("dog cat " * 200, "", BERT, request(lang=language))


def test_without_bertviz_a_sentence_says_so(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(bertviz.SCRIPTS, "head", (replace(BERTVIZ_HEAD, package="no-such-package"),))
    said, *buttons, _ = demo.on_reach("hi dog", "", BERT, request())
    assert "not installed" in said and not buttons[0].interactive
    assert demo.on_bertviz("head")("hi dog", "", BERT, request()) == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_go_into_the_page_and_open(tiny: Path, language: str) -> None:
    for index in range(len(texts("attention")[language]["examples"])):
        text, second, _ = demo.on_example(BERT, request(lang=language), clicked(index))
        assert json.loads(demo.on_run(text, second, BERT, "", request(lang=language))[0])["tokens"]


def test_a_link_fills_the_page(tiny: Path) -> None:
    text, second, model, other, *_ = demo.on_open(
        request(tab="attention", text="a", second="b", model=GPT2, other=BERT)
    )
    assert (text, second, model.value, other.value) == ("a", "b", GPT2, BERT)
    text, second, model, other, *_ = demo.on_open(request(tab="attention", model="nope", other="nope"))
    assert (text, second, model.value, other.value) == (
        texts("attention")["en"]["examples"][0]["text"],
        "",
        "bert-mini",
        "",
    )


def test_endpoints(server: str) -> None:
    answer = call(server, "attention", "The dog barked.", "It ran.", BERT, 1)
    assert set(answer) == {"model", "revision", "tokens", "segments", "layers", "heads", "layer", "weights"}
    weights = np.array(answer["weights"])
    assert weights.shape == (answer["heads"], len(answer["tokens"]), len(answer["tokens"]))
    assert weights.sum(axis=-1) == pytest.approx(1, abs=1e-5)
    answer = call(server, "layer_predictions", "The [MASK] barked.", BERT, 3)
    assert {"model", "revision", "layers"} <= set(answer)
    assert [layer["layer"] for layer in answer["layers"]] == [0, 1, 2]
    assert set(answer["layers"][0]["masks"][0][0]) == {"token", "probability"}
    assert "(no_mask)" in str(call(server, "layer_predictions", "none here", BERT, 3))
