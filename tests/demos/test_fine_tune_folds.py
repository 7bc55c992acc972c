"""Folds and weights of labels on the fine-tuning page: the display during a run and at the end, and messages."""

from __future__ import annotations

import re
from dataclasses import replace

import gradio as gr
import pytest

from app.results.tuning.fine_tune import FoldScore, TuningReport
from app.ui.texts import texts
from app.views.fine_tune import draw_outcome, status, summary
from app.views.folds import draw_folds
from tests.demos.test_fine_tune import LINES, start

pytestmark = pytest.mark.usefixtures("fresh_trainings")


def test_a_training_with_folds_from_start_to_table() -> None:
    *_, (_, _, confusion, outcome, table, own, runs) = start(epochs=1, folds=4)
    (run,), labels = runs, texts("fine_tune")["en"]
    assert len(run.result.folds) == 4 and own.value == run.result.name and confusion is not None
    assert outcome.count("<tr><th scope='row'>") == 4 + 2 + 3, "folds, their mean and spread, all rows together"
    assert "4 folds" in table and labels["folds.told"] in outcome
    assert labels["folds.ended.done"].split("{")[0] in outcome


def test_weights_are_named_in_the_table() -> None:
    *_, (*_, table, _, runs) = start(f"{LINES}\nthe soup again | B", epochs=1, weighed=True)
    assert runs[0].options.class_weight == "balanced" and texts("fine_tune")["en"]["weighed"] in table


def test_too_many_folds_are_refused_with_a_sentence() -> None:
    with pytest.raises(gr.Error, match="at most as many folds"):
        start(folds=10)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_mean_and_spread(language: str) -> None:
    labels = texts("fine_tune")[language]
    drawn = draw_folds([FoldScore(10, 0.8, 0.75), FoldScore(10, 0.9, 0.85)], labels)
    assert re.findall(r"<b>(.*?)</b>", drawn) == ["85.0%", "0.800", "± 7.1", "± 0.071"]
    assert "±" not in draw_folds([FoldScore(10, 0.8, 0.75)], labels)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_where_it_stands_and_how_it_ended(language: str) -> None:
    labels = texts("fine_tune")[language]
    report = TuningReport(2, 8, 0.5, 1.0, 3.0, None, part=2, parts=5)
    assert status(0, report, labels).startswith(labels["folds.running"].format(part=2, parts=5))
    assert status(0, replace(report, part=0), labels).startswith(labels["folds.first"].format(parts=5))
    alone = labels["running"].format(step=2, steps=8, loss="0.500", left=3)
    assert status(0, replace(report, parts=0, part=0), labels) == alone
    *_, (*_, runs) = start(epochs=1, folds=2)
    for ended in ("done", "stopped", "time"):
        assert "2" in summary(replace(runs[0].result, stopped=ended), labels)
    nothing = replace(runs[0].result, stopped="stopped", folds=[], validation=None, before_accuracy=None)
    assert labels["folds.unjudged"] in draw_outcome(nothing, [], labels)
