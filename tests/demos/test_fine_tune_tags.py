"""Rows whose words have labels on the fine-tuning page: from start to zip, drawn escaped, no map, in no other list."""

from __future__ import annotations

import zipfile
from pathlib import Path

import gradio as gr
import pytest

from app.engine.runtime.visitor_models import visitor_models
from app.tasks.classification.page import own_models
from app.tasks.fine_tune.take_home import take_home
from app.ui.components.tuning.take_home import model_card
from demos import fine_tune as demo

LINES = "\n".join(
    f"[Lima](<i>place) is the {word} of the [dog](animal), <b>{word}</b>"
    for word in ("art", "bank", "river", "house", "door", "player", "artist", "soup")
)


def request(session: str = "anna") -> gr.Request:
    """A visitor's request."""
    return gr.Request(query_params={"lang": "en"}, headers={}, session_hash=session)


def test_from_start_to_zip(fresh_trainings: None, tmp_path: Path) -> None:
    from transformers import AutoModelForTokenClassification, AutoTokenizer

    how = ("bert-mini", "full", 2, "1e-3", 4, 0, 0.25, False, False, False, 0)
    *_, shown = demo.on_start(LINES, None, "", None, "", "", "", *how, [], request())
    status, _, confusion, outcome, table, own, runs = shown
    (run,) = runs
    assert "Words with labels" in status and run.result.name in table and own.value == run.result.name
    assert "entity-scores" in outcome and "<i>" not in outcome and "<b>" not in outcome
    assert (len(run.tagged), run.judged, run.result.kind) == (2, [], "tags") and confusion is not None
    wrong = sum(row.true != row.predicted for row in run.tagged)
    assert outcome.count("<dl") == wrong
    drawn = demo.on_try("Lima is a dog\n<b>soup", own.value, runs, request())
    assert drawn.count("class='entities'") == 2 and "<b>" not in drawn
    assert "labels words" in demo.on_map(own.value, runs, request())[0]
    with pytest.raises(gr.Error, match="unknown_model|wrong_model"):
        demo.on_try("the dog", own.value, runs, request("ben"))
    card = model_card(own.value, runs, "en")
    assert "token-classification" in card and "Lima" not in card
    with zipfile.ZipFile(take_home(own.value, "anna", card)) as opened:
        opened.extractall(tmp_path)
    model = AutoModelForTokenClassification.from_pretrained(tmp_path / own.value)
    assert model.config.id2label == {0: "O", 1: "B-<i>place", 2: "B-animal"}
    assert len(AutoTokenizer.from_pretrained(tmp_path / own.value)) > 100
    assert own_models("anna") == {} and [*own_models("anna", head="")] == [own.value]
    visitor_models().forget("anna")
