"""Fine-tuning as a task: a model for one visitor only, refused input, the slot, and memory that does not grow."""

from __future__ import annotations

import gc
import threading

import pytest
import torch

from app.engine.runtime.visitor_models import visitor_models
from app.errors import PlaygroundError
from app.registry import lookup
from app.tasks.attribution.attribute import attribute
from app.tasks.classification.classify import classify
from app.tasks.fine_tune.tune import Options, Tuning, fine_tune, run_tuning
from tests.conftest import SetSetting
from tests.tasks.classifiers import entry

ROWS = [
    {"text": f"the {word} {index}", "label": label} for index in range(6) for word, label in (("dog", 1), ("soup", 0))
]


@pytest.fixture(autouse=True)
def with_a_classifier(fresh_trainings: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalog has a model that sorts texts already."""
    monkeypatch.setattr(lookup, "CATALOG", (*lookup.CATALOG, entry("bert")))


def key_of(*arguments: object, **named: object) -> str:
    """The error that a call ends with."""
    with pytest.raises(PlaygroundError) as caught:
        fine_tune(*arguments, **{"visitor": "anna", **named})
    return caught.value.key


def test_the_model_is_the_visitors_alone() -> None:
    before = classify_base()
    answer = fine_tune(ROWS, "bert-mini", 2, 1e-3, 0, 0.25, visitor="anna")
    assert answer.labels == ["0", "1"] and len(answer.history) == 2
    assert answer.validation.baseline_accuracy == 0.5 and answer.validation_rows == 4
    theirs = classify(["the dog"], answer.name, visitor="anna").results[0].labels
    assert {entry.label for entry in theirs} == {"0", "1"}
    assert theirs == classify(["the dog"], answer.name, visitor="anna").results[0].labels
    assert attribute("the dog", answer.name, visitor="anna").label == theirs[0].label
    for stranger in ("ben", ""):
        with pytest.raises(PlaygroundError) as caught:
            classify(["the dog"], answer.name, visitor=stranger)
        assert caught.value.code == "unknown_model"
    assert classify_base() == before


def classify_base() -> object:
    from app.tasks.fill_mask.fill import fill_mask

    return fill_mask("The [MASK] ran.", "bert-mini")


def test_names_differ_between_visitors() -> None:
    names = {fine_tune(ROWS, "bert-mini", 1, visitor=visitor).name for visitor in ("anna", "ben", "anna")}
    assert len(names) == 3


def test_the_seed_decides_whoever_asks() -> None:
    one, other = (fine_tune(ROWS, "bert-mini", 1, seed=4, visitor=visitor) for visitor in ("anna", "ben"))
    assert (one.history, one.validation) == (other.history, other.validation)


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        (None, "bad_value.examples"),
        ([], "bad_value.one_label"),
        (["dog", "cat"], "bad_value.examples"),
        ([{"text": "dog"}], "bad_value.examples"),
        (ROWS[::2], "bad_value.one_label"),
        ([*ROWS, {"text": "x", "label": " "}], "bad_value.label"),
        ([*ROWS, {"text": "x", "label": None}], "bad_value.label"),
        ([*ROWS, {"text": "x", "label": "a" * 101}], "bad_value.label"),
        ([*ROWS, {"text": "x", "label": float("nan")}], "bad_value.label"),
        ([*ROWS, {"text": " ", "label": "a"}], "empty_text"),
        ([*ROWS, {"text": "\u200d", "label": "a"}], "empty_text"),
        ([*ROWS, {"text": "fine " * 600, "label": "a"}], "too_long.row"),
        (ROWS * 500, "too_long.rows"),
        ([{"text": "x", "label": str(index)} for index in range(51)], "bad_value.many_labels"),
    ],
)
def test_rows_that_are_refused(rows: object, key: str) -> None:
    assert key_of(rows, "bert-mini") == key


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (("gpt2",), "bad_value.parameters"),
        (("nobody",), "unknown_model"),
        (("bert-base-uncased",), "bad_value.parameters"),
        (("bert-mini", 0), "bad_value.number"),
        (("bert-mini", 10**9), "bad_value.number"),
        (("bert-mini", 1, 0.0), "bad_value.range"),
        (("bert-mini", 1, "fast"), "bad_value.range"),
        (("bert-mini", 1, 1e-4, -1), "bad_value.number"),
        (("bert-mini", 1, 1e-4, 0, 0.9), "bad_value.range"),
    ],
)
def test_settings_that_are_refused(arguments: tuple, key: str) -> None:
    assert key_of(ROWS, *arguments) == key


def test_without_a_session_nothing_is_trained() -> None:
    assert key_of(ROWS, "bert-mini", visitor="") == "bad_value.session"


@pytest.mark.parametrize(
    ("given", "label"), [(7, "7"), (-1, "-1"), (1.0, "1"), (0.5, "0.5"), ("007", "007"), ("好", "好")]
)
def test_any_label_will_do(given: object, label: str) -> None:
    rows = [{"text": "the dog", "label": given}, {"text": "soup", "label": "z"}]
    assert fine_tune(rows, "bert-mini", 1, visitor="anna").labels == sorted([label, "z"])


def test_caps_are_the_hosts(set_setting: SetSetting) -> None:
    set_setting(tuned_minutes="0", tuned_rows="12")
    assert fine_tune(ROWS, "bert-mini", 3, visitor="anna").stopped == "time"
    assert key_of([*ROWS, ROWS[0]], "bert-mini") == "too_long.rows"


def test_stopping_and_waiting() -> None:
    running, go = Tuning(), threading.Event()
    original = running.on_report

    def held(report: object) -> bool:
        go.wait(20)
        return original(report)

    running.on_report = held
    worker = threading.Thread(target=run_tuning, args=(ROWS, "bert-mini", Options(epochs=1), "anna", running))
    worker.start()
    waiting = Tuning()
    other = threading.Thread(target=run_tuning, args=(ROWS, "bert-mini", Options(epochs=1), "ben", waiting))
    while running.ahead != 0:
        pass
    other.start()
    while waiting.ahead is None:
        pass
    assert waiting.ahead == 1 and waiting.report is None
    waiting.stop.set()
    other.join(20)
    assert not other.is_alive() and visitor_models().names("ben") == []
    running.stop.set()
    go.set()
    worker.join(20)
    assert not worker.is_alive() and visitor_models().names("anna") == []


@pytest.mark.slow
def test_twenty_in_a_row_leave_memory_flat() -> None:
    def tensors() -> int:
        gc.collect()
        return sum(isinstance(kept, torch.Tensor) for kept in gc.get_objects())

    counts = []
    for index in range(20):
        fine_tune(ROWS, "bert-mini", 1, visitor=f"visitor {index % 3}")
        visitor_models().forget(f"visitor {index % 3}")
        counts.append(tensors())
    assert counts[-1] <= counts[3]


def test_weights_of_labels_are_asked_for_by_their_name() -> None:
    rows = [*ROWS, *ROWS[::2], *ROWS[::2]]
    plain, weighed = (fine_tune(rows, "bert-mini", 2, class_weight=how, visitor="anna") for how in ("", "balanced"))
    assert [point.loss for point in plain.history] != [point.loss for point in weighed.history]
    tags = [{"text": f"[Lima](place) is {word}"} for word in ("art", "soup")]
    assert key_of(tags, "bert-mini", class_weight="balanced") == "bad_value.no_class_weight"
    for wrong in ("uneven", None, ["balanced"], True):
        assert key_of(ROWS, "bert-mini", class_weight=wrong) == "bad_value.class_weight"


@pytest.mark.parametrize(
    ("rows", "folds", "key"),
    [
        (ROWS, 1, "bad_value.number"),
        (ROWS, 11, "bad_value.number"),
        (ROWS, "many", "bad_value.number"),
        (ROWS, 7, "bad_value.few_for_folds"),
        ([*ROWS[:4], *ROWS[:4]], 3, "bad_value.few_for_folds"),
        ([{"text": f"[Lima](place) is {word}"} for word in ("art", "soup")], 2, "bad_value.no_folds"),
    ],
)
def test_folds_that_are_refused(rows: list, folds: object, key: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        run_tuning(rows, "bert-mini", Options(folds=folds), "anna", Tuning())
    assert caught.value.key == key


def test_a_model_judged_by_folds_is_kept_and_answers() -> None:
    tuning = Tuning()
    run = run_tuning(ROWS, "bert-mini", Options(epochs=1, folds=3), "anna", tuning)
    result = run.result
    assert (result.rows, result.validation_rows, len(result.folds), result.folds_asked) == (12, 12, 3, 3)
    assert (tuning.report.part, tuning.report.parts) == (3, 3) and len(tuning.history) == len(result.history) == 1
    assert visitor_models().names("anna") == [result.name] and len(run.judged) == 12
    assert classify(["the dog"], result.name, visitor="anna").results
