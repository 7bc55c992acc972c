"""Attributions against captum called directly and against their axioms; occlusion against hiding by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from captum.attr import LayerIntegratedGradients

from app.errors import PlaygroundError
from app.tasks.attribution.attribute import attribute, explain
from app.tasks.classification.classify import classify, encode_texts, load_classifier
from tests.tasks.classifiers import FAMILIES
from tests.tasks.test_classification import classifiers  # noqa: F401

TEXT = "The dog barked, playing naïve 😀 soup!"


@pytest.fixture(autouse=True)
def catalog(classifiers: Path) -> Iterator[Path]:  # noqa: F811
    """Every test here has the tiny classifiers."""
    yield classifiers


@pytest.mark.parametrize("family", FAMILIES)
def test_attributions_add_up_to_the_difference(family: str) -> None:
    answer = attribute(TEXT, f"{family}-classifier")
    difference = answer.logit - answer.baseline_logit
    total = sum(token.attribution for token in answer.tokens)
    assert total == pytest.approx(difference + answer.convergence_delta, abs=1e-4)
    assert abs(answer.convergence_delta) <= 0.05 * abs(difference)
    assert answer.label == classify([TEXT], f"{family}-classifier").results[0].labels[0].label
    first, last = answer.tokens[0], answer.tokens[-1]
    assert (first.start, last.end) == (None, None)
    assert first.attribution == pytest.approx(0.0, abs=1e-6) == last.attribution
    starts = [token.start for token in answer.tokens[1:-1]]
    assert starts == sorted(starts) and TEXT[starts[0] : answer.tokens[1].end].lower().startswith("t")


def test_attributions_are_captums() -> None:
    answer = attribute(TEXT, "bert-classifier", "negative")
    classifier = load_classifier("bert-classifier")
    row = classifier.text.encode(TEXT)
    ids = torch.tensor([row.input_ids])
    baseline = torch.full_like(ids, classifier.text.mask_id)
    baseline[0, 0], baseline[0, -1] = ids[0, 0], ids[0, -1]
    model = classifier.loaded.model
    plain = LayerIntegratedGradients(lambda given: model(given).logits, model.bert.embeddings.word_embeddings)
    expected = plain.attribute(ids, baseline, target=0, n_steps=500).sum(-1)[0]
    assert [token.attribution for token in answer.tokens] == pytest.approx(
        expected.tolist(), abs=0.02 * float(abs(expected).sum())
    )


def test_others_get_between_the_points_of_a_path() -> None:
    classifier = load_classifier("bert-classifier")
    (row,) = encode_texts(classifier, [TEXT])
    lock = classifier.loaded.lock
    held: list[bool] = []
    forward = classifier.loaded.model.register_forward_hook(lambda *_: held.append(lock._lock._held))
    backward = classifier.loaded.model.bert.encoder.register_full_backward_hook(
        lambda *_: held.append(not lock._lock._held)
    )
    classifier.attribute(row, 0)
    forward.remove()
    backward.remove()
    assert len(held) > 3 and all(held), "held while the model runs, and free between"


def test_the_model_is_left_as_it_was() -> None:
    before = classify([TEXT], "bert-classifier")
    attribute(TEXT, "bert-classifier")
    model = load_classifier("bert-classifier").loaded.model
    assert all(weight.grad is None for weight in model.parameters()) and not model.training
    assert classify([TEXT], "bert-classifier") == before


def test_words_and_occlusion() -> None:
    why = explain(TEXT, "bert-classifier", "positive")
    assert [word.text for word in why.words] == ["The", "dog", "barked", ",", "playing", "naïve", "😀", "soup", "!"]
    assert all(TEXT[word.start : word.end] == word.text for word in why.words)
    assert sum(word.attribution for word in why.words) == pytest.approx(
        sum(token.attribution for token in why.attributed.tokens), abs=1e-5
    )
    share = {entry.label: entry.probability for entry in why.labels}["positive"]
    hidden = classify([TEXT.replace("dog", "[MASK]")], "bert-classifier").results[0].labels
    expected = share - {entry.label: entry.probability for entry in hidden}["positive"]
    assert why.words[1].occlusion == pytest.approx(expected, abs=1e-5)


def test_blanks_are_no_words() -> None:
    why = explain("The ___ barked at <mask>.", "bert-classifier")
    assert [word.text for word in why.words] == ["The", "barked", "at", "."]


def test_both_labels_of_two_are_looked_at() -> None:
    one, other = (attribute(TEXT, "bert-classifier", label) for label in ("negative", "positive"))
    assert [token.attribution for token in one.tokens] != [token.attribution for token in other.tokens]


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        ((TEXT, "bert-classifier", "neutral"), "bad_value.choice"),
        (("", "bert-classifier"), "empty_text"),
        ((None, "bert-classifier"), "bad_value.text"),
        ((TEXT, "gpt2"), "wrong_model"),
        (("dog " * 600, "bert-classifier"), "too_long.tokens"),
    ],
)
def test_what_may_not_be_asked(arguments: tuple, key: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        attribute(*arguments)
    assert caught.value.key == key


def test_one_text_is_not_counted() -> None:
    for ask in (attribute, explain):
        with pytest.raises(PlaygroundError) as caught:
            ask(" ", "bert-classifier")
        assert caught.value.values == {"field": "text"}
