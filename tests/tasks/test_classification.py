"""Classification against transformers' own pipeline: every family, batched and single, and refused requests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer, pipeline

from app.engine.runtime.loader import loader
from app.engine.runtime.visitor_models import VisitorModels, visitor_models
from app.errors import PlaygroundError
from app.tasks.classification.classify import classify, classify_in_steps, load_classifier
from tests.checkpoints import CLASSIFIERS
from tests.conftest import SetSetting
from tests.tasks.classifiers import FAMILIES, add_to_catalog, build_loaded

TEXTS = ["The dog barked.", "I love you because you are wonderful and kind.", "cat", "Résumé naïve! 😀 " * 6, "hot"]


@pytest.fixture
def classifiers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, set_setting: SetSetting) -> Iterator[Path]:
    """The catalog has a classifier of each family in this test."""
    set_setting(models=str(tmp_path))
    loader.cache_clear()
    visitor_models.cache_clear()
    add_to_catalog(tmp_path, monkeypatch)
    yield tmp_path
    loader.cache_clear()
    visitor_models.cache_clear()


@pytest.mark.parametrize("family", FAMILIES)
def test_probabilities_are_those_of_the_pipeline(classifiers: Path, family: str) -> None:
    answer = classify(TEXTS, f"{family}-classifier")
    peer = pipeline("text-classification", model=str(classifiers / f"{family}-classifier"), top_k=None)
    for ours, theirs in zip(answer.results, peer(TEXTS), strict=True):
        expected = {entry["label"].replace("LABEL_", "class "): entry["score"] for entry in theirs}
        assert {entry.label: pytest.approx(entry.probability, abs=1e-5) for entry in ours.labels} == expected
        shares = [entry.probability for entry in ours.labels]
        assert shares == sorted(shares, reverse=True) and sum(shares) == pytest.approx(1.0)
    assert [result.text for result in answer.results] == TEXTS


@pytest.mark.parametrize("family", FAMILIES)
def test_pairs_are_read_as_the_tokenizer_reads_them(classifiers: Path, family: str) -> None:
    firsts, seconds = TEXTS[:3], ["The cat ran away.", "hot", "the dog and the soup"]
    answer = classify(firsts, f"{family}-classifier", seconds)
    folder = classifiers / f"{family}-classifier"
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    for ours, first, second in zip(answer.results, firsts, seconds, strict=True):
        # ALBERT's tokenizer leaves the segments away unless it is asked for them; its models were trained with them.
        inputs = tokenizer(first, second, return_tensors="pt", return_token_type_ids=True)
        with torch.inference_mode():
            best = model(**inputs).logits[0].softmax(-1).max().item()
        assert ours.labels[0].probability == pytest.approx(best, abs=1e-5)
    assert answer != classify(firsts, f"{family}-classifier")


def test_batched_equals_single(classifiers: Path) -> None:
    together = classify(TEXTS, "bert-classifier").results
    for text, among in zip(TEXTS, together, strict=True):
        (alone,) = classify([text], "bert-classifier").results
        for one, other in zip(alone.labels, among.labels, strict=True):
            assert (one.label, one.probability) == (other.label, pytest.approx(other.probability, abs=1e-5))


def test_labels_without_names_say_so(classifiers: Path) -> None:
    labels = {entry.label for entry in classify(["soup"], "roberta-classifier").results[0].labels}
    assert labels == {"class 0", "class 1", "class 2"}
    assert {entry.label for entry in classify(["soup"], "albert-classifier").results[0].labels} == set(
        CLASSIFIERS["albert"]
    )


def test_special_tokens_in_a_text_are_text(classifiers: Path) -> None:
    plain, typed = classify(["dog", "dog [SEP] cat"], "bert-classifier").results
    row = load_classifier("bert-classifier").text.encode("dog [SEP] cat")
    assert row.input_ids.count(row.input_ids[-1]) == 1 and plain.labels != typed.labels


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        ((["soup"], "bert-mini"), "wrong_model"),
        ((["soup"], "nobody"), "unknown_model"),
        ((["soup"], None), "unknown_model"),
        (([], "bert-classifier"), "bad_value.texts"),
        (("soup", "bert-classifier"), "bad_value.texts"),
        (([" "], "bert-classifier"), "empty_text"),
        ((["\u0301\u200d"], "bert-classifier"), "empty_text"),
        ((["soup", None], "bert-classifier"), "bad_value.text"),
        ((["fine " * 600], "bert-classifier"), "too_long.tokens"),
        ((["soup"] * 2_001, "bert-classifier"), "too_long.texts"),
        ((["soup"], "bert-classifier", ["a", "b"]), "bad_value.seconds"),
        ((["soup"], "bert-classifier", 0.5), "bad_value.texts"),
        ((["soup", "dog"], "bert-classifier", ["a", ""]), "empty_text"),
    ],
)
def test_what_may_not_be_asked(classifiers: Path, arguments: tuple, key: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        classify(*arguments)
    assert caught.value.key == key


def test_a_head_that_is_not_in_the_file_is_never_used(classifiers: Path, tiny_models: Path) -> None:
    import shutil

    shutil.rmtree(classifiers / "bert-classifier")
    shutil.copytree(tiny_models / "bert-mini", classifiers / "bert-classifier")
    with pytest.raises(PlaygroundError) as caught:
        classify(["soup"], "bert-classifier")
    assert caught.value.key == "missing_head.classification"


def test_steps_grow_to_the_whole_answer(classifiers: Path) -> None:
    texts = ["dog " * (index % 40 + 1) for index in range(200)]
    steps = list(classify_in_steps(load_classifier("bert-classifier"), texts))
    counts = [len(step.results) for step in steps]
    assert counts == sorted(counts) and 0 < counts[0] < counts[-1] == 200
    assert [result.text for result in steps[-1].results] == texts
    assert steps[-1] == classify(texts, "bert-classifier")


def test_a_visitors_model_is_theirs_alone(classifiers: Path) -> None:
    visitor_models().add("anna", build_loaded("bert", "mine"))
    assert classify(["soup"], "mine", visitor="anna").model == "mine"
    for stranger in ("", "ben"):
        with pytest.raises(PlaygroundError) as caught:
            classify(["soup"], "mine", visitor=stranger)
        assert caught.value.code == "unknown_model" and "mine" not in str(caught.value.values)
    visitor_models().forget("anna")
    with pytest.raises(PlaygroundError):
        classify(["soup"], "mine", visitor="anna")


def test_visitors_models_fit_their_budgets() -> None:
    now = [0.0]
    size = build_loaded("bert").bytes
    kept = VisitorModels(3 * size, per_visitor=2, idle_seconds=60.0, clock=lambda: now[0])
    for name in ("a", "b", "c"):
        kept.add("anna", build_loaded("bert", name))
    assert kept.names("anna") == ["b", "c"]
    kept.add("ben", build_loaded("bert", "d"))
    assert kept.get("anna", "b") is not None
    kept.add("carl", build_loaded("bert", "e"))
    assert (kept.names("anna"), kept.names("ben"), kept.names("carl")) == (["b"], ["d"], ["e"])
    now[0] = 50.0
    assert kept.get("ben", "d") is not None
    now[0] = 70.0
    assert (kept.names("anna"), kept.names("ben"), kept.get("", "d")) == ([], ["d"], None)


def test_an_empty_owner_owns_nothing() -> None:
    kept = VisitorModels(10**9, 2, 60.0)
    kept.add("", build_loaded("bert", "a"))
    assert kept.get("", "a") is None


def test_softmax_is_stable(classifiers: Path) -> None:
    loaded = loader().get(load_classifier("bert-classifier").checkpoint)
    loaded.model.classifier.bias.data = loaded.model.classifier.bias.data + np.float32(3_000.0)
    shares = [entry.probability for entry in classify(["soup"], "bert-classifier").results[0].labels]
    assert sum(shares) == pytest.approx(1.0)
