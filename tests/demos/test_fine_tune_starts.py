"""The fine-tuning tab with every family as its starting point: from start to answer, and each one's limits."""

from __future__ import annotations

import zipfile
from pathlib import Path

import gradio as gr
import pytest

from app.errors import PlaygroundError
from app.tasks.attribution.attribute import attribute
from app.tasks.classification.classify import classify
from app.tasks.classification.page import own_models
from app.tasks.fine_tune.rows import METHODS, RATE_OF
from app.tasks.fine_tune.starting import methods_by_name
from app.tasks.fine_tune.take_home import take_home
from app.ui.texts import texts
from app.views.notes import draw_note
from demos import fine_tune as demo
from tests.demos.test_fine_tune import PAIRS, request, start

pytestmark = pytest.mark.usefixtures("fresh_trainings")


@pytest.mark.parametrize(
    ("model", "method", "home"),
    [("bag-of-words", "regression", False), ("elmo-original", "mix", False), ("gpt2", "frozen", True)],
)
def test_other_starting_points_from_start_to_answer(model: str, method: str, home: bool, tmp_path: Path) -> None:
    *_, (status, _, _, outcome, table, own, runs) = start(model=model, method=method, rate="1e-1")
    (run,) = runs
    labels = texts("fine_tune")["en"]
    assert run.options.method == method and labels[f"method.{method}"] in table and run.result.name in table
    assert status == draw_note(labels["use_hint_last" if home else "use_hint_words"])
    assert (labels["mix.title"] in outcome) == (method == "mix") == (run.result.mix is not None)
    assert f"{run.result.trained_weights:,} weights" in outcome
    together = demo.on_try("the dog\nthe soup", own.value, runs, request())
    assert run.result.name in together and "the dog" in together
    with pytest.raises(PlaygroundError, match="no_explaining"):
        attribute("the dog", own.value, visitor="anna")
    assert own_models("anna", explaining=True) == {} and own.value in own_models("anna")
    if home:
        assert Path(take_home(own.value, "anna", "")).exists()
    else:
        with pytest.raises(PlaygroundError, match="not_portable"):
            take_home(own.value, "anna", "")
        with pytest.raises(gr.Error, match="map"):
            demo.on_map(own.value, runs, request())


def test_a_gpt_taken_home_answers_in_batches_as_here(tmp_path: Path) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    *_, (*_, own, _) = start(model="gpt2", method="frozen")
    with zipfile.ZipFile(take_home(own.value, "anna", "")) as opened:
        opened.extractall(tmp_path)
    folder, asked = tmp_path / own.value, ["the dog", "the soup is hot and the dog ran away!"]
    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        shares = model.eval()(**tokenizer(asked, padding=True, return_tensors="pt")).logits.softmax(-1)
    for row, classified in zip(shares.tolist(), classify(asked, own.value, visitor="anna").results, strict=True):
        here = {entry.label: entry.probability for entry in classified.labels}
        assert row == pytest.approx([here[model.config.id2label[index]] for index in range(2)], abs=1e-5)


@pytest.mark.parametrize(
    ("changed", "key"),
    [
        ({"model": "bag-of-words", "scratch": True}, "nothing to forget"),
        ({"model": "elmo-original", "lines": PAIRS}, "no pairs"),
        ({"model": "gpt2", "method": "full"}, "at most"),
    ],
)
def test_what_a_starting_point_cannot_do_is_said(changed: dict, key: str) -> None:
    with pytest.raises(gr.Error, match=key):
        start(**changed)


def test_the_methods_follow_the_model() -> None:
    assert [methods_by_name(name) for name in ("bert-mini", "bag-of-words", "elmo-original", "gpt2", "")] == [
        ["full", "frozen", "lora"], ["regression"], ["mix"], ["frozen"], ["full", "frozen", "lora"]
    ]  # fmt: skip
    assert {name for _, name in demo.on_picker(request())} >= {"bag-of-words", "bert-mini", "gpt2", "elmo-original"}
    assert RATE_OF.keys() | {"regression"} == set(METHODS)
