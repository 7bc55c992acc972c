"""The tab that explains a label: signed words, both methods, hiding with a click, the endpoint."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from app.tasks.hidden_words import Hidden
from app.ui.components.download_panel import labelled
from demos import attribution as demo
from tests.checkpoints import CLASSIFIER
from tests.conftest import SetVariables
from tests.demos.client import call, request

MODEL = CLASSIFIER
TEXT = "The <b>dog</b> barked."


def test_both_methods_with_signs_and_a_delta(tiny: Path) -> None:
    drawn, hidden = demo.on_run(TEXT, MODEL, Hidden(), request())
    assert drawn.count("data-method=") == 2 and "convergence delta" in drawn and hidden == Hidden(TEXT)
    assert "<b>dog" not in drawn and "effect for" in drawn and "effect against" in drawn
    assert drawn.count("data-start='7'") == 2, "the word `dog`, once for each method"


def test_a_click_hides_a_word_and_brings_it_back(tiny: Path) -> None:
    text, hidden = demo.on_word(TEXT, Hidden(TEXT), SimpleNamespace(start=7, end=10))
    drawn, hidden = demo.on_run(text, MODEL, hidden, request())
    assert text == "The <b>[MASK]</b> barked." and drawn.count("class='blank'") == 2
    text, hidden = demo.on_word(text, hidden, SimpleNamespace(start=7, end=13))
    drawn, hidden = demo.on_run(text, MODEL, hidden, request())
    assert text == TEXT and "class='blank'" not in drawn


def test_links(tiny: Path) -> None:
    text, model, _ = demo.on_open(request(tab="attribution", text="Hello", model=MODEL))
    assert (text, model.value) == ("Hello", MODEL)
    assert demo.on_open(request(tab="attribution", model="nope"))[1].value


def test_endpoint(server: str) -> None:
    answer = call(server, "attribute", "The dog barked.", MODEL, "negative")
    assert {"model", "revision", "label", "method", "tokens", "convergence_delta"} <= set(answer)
    assert (answer["label"], answer["method"]) == ("negative", "integrated_gradients")
    assert set(answer["tokens"][0]) == {"token", "start", "end", "attribution"}
    total = sum(token["attribution"] for token in answer["tokens"])
    assert total == pytest.approx(answer["logit"] - answer["baseline_logit"] + answer["convergence_delta"], abs=1e-4)
    assert "bad_value" in str(call(server, "attribute", "dog", MODEL, "neutral"))


def test_a_checkpoint_of_the_hub_stays_chosen(set_variables: SetVariables) -> None:
    set_variables(HF_HUB_OFFLINE=None)
    assert labelled(demo.on_picker, "someone/model", request()).value == "someone/model"
    assert demo.on_open(request(tab="attribution", model="someone/model"))[1].value == "someone/model"
