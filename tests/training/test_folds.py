"""k-fold: every row judges once and never its own model; the kept model learned from all rows; stopping, time."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest
import torch
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import StratifiedKFold

from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME
from app.results.tuning.fine_tune import TuningReport
from app.tasks.fine_tune.starting import BAG, load_start
from app.training import folds as module
from app.training.fine_tune import fine_tune
from app.training.folds import fold_rows, tune_in_folds
from app.training.labelled import Example
from app.training.plan import Plan

ROWS = [
    Example(f"the {word} {index}", label)
    for index in range(10)
    for word, label in (("dog", "A"), ("soup", "B"), ("art", "B"))
]
PLAN = Plan(epochs=2, learning_rate=1e-3, method="frozen", batch_size=8, seed=3)


@pytest.fixture
def base(tiny: Path) -> Loaded:
    return loader().get(BY_NAME["bert-base-uncased"])


@pytest.mark.parametrize("folds", [2, 5, 10])
def test_the_folds_are_scikit_learns_and_every_row_judges_once(folds: int) -> None:
    cut = fold_rows(ROWS, folds, seed=3)
    theirs = StratifiedKFold(folds, shuffle=True, random_state=3).split(ROWS, [row.label for row in ROWS])
    assert [judging for _, judging in cut] == [[ROWS[place] for place in places] for _, places in theirs]
    assert Counter(row for _, judging in cut for row in judging) == Counter(ROWS)
    for train, judging in cut:
        assert not {*train} & {*judging} and len(train) + len(judging) == len(ROWS)
        assert {row.label for row in train} == {"A", "B"}
    assert fold_rows(ROWS, folds, seed=4) != cut


def test_equal_rows_are_in_one_fold() -> None:
    rows = [*ROWS, *ROWS[:9], *ROWS[:4]]
    for train, judging in fold_rows(rows, 5, seed=0):
        assert not {*train} & {*judging}


def test_the_scores_are_those_of_models_that_had_not_seen_the_rows(base: Loaded) -> None:
    tuned = tune_in_folds(base, ROWS, PLAN, 5)
    assert (tuned.rows, tuned.kept, len(tuned.folds), tuned.stopped) == (30, 30, 5, "done")
    assert Counter(row.text for row in tuned.judged) == Counter(row.text for row in ROWS)
    by_text, labels = {row.text: row for row in tuned.judged}, {row.text: row.label for row in ROWS}
    assert all(by_text[text].label == label for text, label in labels.items())
    for (train, judging), score in zip(fold_rows(ROWS, 5, PLAN.seed), tuned.folds, strict=True):
        true, said = zip(*((row.label, by_text[row.text].predicted) for row in judging), strict=True)
        assert score.rows == len(judging) and score.accuracy == pytest.approx(accuracy_score(true, said))
        assert score.macro_f1 == pytest.approx(f1_score(true, said, average="macro", zero_division=0))
        assert len(train) == 24
    assert sum(map(sum, tuned.validation.confusion)) == 30
    assert tuned.validation.accuracy == pytest.approx(fmean(one.accuracy for one in tuned.folds))
    assert tuned.validation.baseline_accuracy == pytest.approx(2 / 3) and 0 <= tuned.before_accuracy <= 1


def test_the_model_is_the_one_that_learned_from_all_rows(base: Loaded) -> None:
    from dataclasses import replace

    tuned, plain = tune_in_folds(base, ROWS, PLAN, 3), fine_tune(base, ROWS, replace(PLAN, validation_share=0.0))
    for ours, theirs in zip(tuned.model.parameters(), plain.model.parameters(), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-5)
    assert len(tuned.history) == len(plain.history) == tuned.kept_step == 8


def test_every_training_is_reported_as_a_part(base: Loaded) -> None:
    reports: list[TuningReport] = []
    tune_in_folds(base, ROWS, PLAN, 3, reports.append)
    assert [*dict.fromkeys(one.part for one in reports)] == [0, 1, 2, 3] and {one.parts for one in reports} == {3}
    assert all(one.seconds_left >= 0 for one in reports) and reports[-1].step == reports[-1].steps


@pytest.mark.parametrize(("part", "done"), [(1, 0), (2, 1), (3, 2)])
def test_a_stop_keeps_the_model_and_the_folds_that_are_done(base: Loaded, part: int, done: int) -> None:
    tuned = tune_in_folds(base, ROWS, PLAN, 3, lambda report: report.part == part and report.step == 2)
    assert tuned.stopped == "stopped" and len(tuned.folds) == done and tuned.rows == 30
    assert (tuned.validation is None) == (done == 0) and len(tuned.judged) == tuned.kept == 10 * done


def test_a_stop_of_the_model_itself_judges_nothing(base: Loaded) -> None:
    tuned = tune_in_folds(base, ROWS, PLAN, 3, lambda report: report.step == 2)
    assert tuned.stopped == "stopped" and tuned.folds == [] and len(tuned.history) == 2
    assert tune_in_folds(base, ROWS, PLAN, 3, lambda report: True) is None


def test_the_time_is_that_of_all_trainings_together(base: Loaded, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still but for an hour behind the first fold."""
    from dataclasses import replace

    now, whole = [0.0], module.learner_for

    class Clock:
        perf_counter = staticmethod(lambda: now[0])

    def slow(*given: object) -> object:
        now[0] += 3600.0
        return whole(*given)

    monkeypatch.setattr(module, "time", Clock)
    monkeypatch.setattr(module, "learner_for", slow)
    tuned = tune_in_folds(base, ROWS, replace(PLAN, seconds=3500.0), 5)
    assert tuned.stopped == "time" and len(tuned.folds) == 1 and time.perf_counter() != now[0]


@pytest.mark.parametrize(
    ("name", "method"), [(BAG.name, "regression"), ("word-vectors-mini", "regression"), ("elmo-original", "mix")]
)
def test_other_starting_points_are_judged_in_folds(tiny: Path, name: str, method: str) -> None:
    start = load_start(BAG) if name == BAG.name else loader().get(BY_NAME[name])
    tuned = tune_in_folds(start, ROWS, Plan(epochs=2, learning_rate=0.1, method=method), 5)
    assert len(tuned.folds) == 5 and tuned.kept == 30
