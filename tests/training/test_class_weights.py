"""Weights of labels: equal to scikit-learn's, their loss, and rare labels that are learnt with them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, log_loss
from sklearn.utils.class_weight import compute_class_weight

from app.engine.runtime.loader import loader
from app.registry.lookup import BY_NAME
from app.tasks.fine_tune.starting import BAG, load_start
from app.training.fine_tune import fine_tune
from app.training.labelled import Example
from app.training.learners.class_weights import balanced_weights
from app.training.learners.gradient import GradientLearner, accuracy, numbers
from app.training.learners.network import TransformerNetwork
from app.training.learners.start import learner_for
from app.training.plan import Plan

LABELS = ["A", "B", "C"]


def uneven(*counts: int) -> list[Example]:
    """So many rows of each label, with a word of its own."""
    words = ("dog", "soup", "art")
    return [
        Example(f"the {words[place]} {index}", LABELS[place])
        for place, count in enumerate(counts)
        for index in range(count)
    ]


@pytest.mark.parametrize("counts", [(10, 10), (30, 3), (1, 7, 20), (5, 5, 50)])
def test_weights_are_those_of_scikit_learn(counts: tuple[int, ...]) -> None:
    rows = uneven(*counts)
    labels = LABELS[: len(counts)]
    theirs = compute_class_weight("balanced", classes=np.array(labels), y=[row.label for row in rows])
    ours = balanced_weights(labels, rows)
    assert ours.tolist() == pytest.approx(theirs.tolist())
    assert ours[numbers(labels, rows)].mean().item() == pytest.approx(1.0)


def learner_with_weights(tiny: Path, rows: list[Example], plan: Plan) -> GradientLearner:
    base = loader().get(BY_NAME["bert-base-uncased"])
    learner = GradientLearner(TransformerNetwork(base, LABELS[:2], plan, {}), LABELS[:2], plan.reads_once)
    learner.learn(rows, [], plan, lambda report: report.step == 1)
    return learner


@pytest.mark.parametrize("weight", ["balanced", ""])
def test_the_loss_of_all_rows_is_scikit_learns_with_the_same_weights(tiny: Path, weight: str) -> None:
    rows = uneven(9, 3)
    plan = Plan(epochs=2, class_weight=weight, batch_size=4)
    learner = learner_with_weights(tiny, rows, plan)
    with torch.inference_mode():
        ours = float(learner._loss(rows))
    shares = learner.probabilities(rows).double().numpy()
    each = balanced_weights(LABELS[:2], rows)[numbers(LABELS[:2], rows)].numpy() if weight else None
    theirs = log_loss([row.label for row in rows], shares / shares.sum(1, keepdims=True), sample_weight=each)
    assert ours == pytest.approx(theirs, rel=1e-4)


def test_parts_of_the_rows_add_up_to_the_loss_of_all(tiny: Path) -> None:
    """So that steps over batches go where a step over all rows would go."""
    rows = uneven(8, 4)
    learner = learner_with_weights(tiny, rows, Plan(epochs=1, class_weight="balanced", batch_size=4))
    with torch.inference_mode():
        parts = [float(learner._loss(rows[at : at + 4])) for at in range(0, 12, 4)]
        assert sum(parts) / 3 == pytest.approx(float(learner._loss(rows)), rel=1e-4)


def test_accuracy_by_weights_is_the_balanced_one() -> None:
    wanted, shares = torch.tensor([0] * 8 + [1] * 2), torch.tensor([[0.9, 0.1]] * 9 + [[0.1, 0.9]])
    rows = uneven(8, 2)
    weights = balanced_weights(LABELS[:2], rows)
    theirs = balanced_accuracy_score(wanted.tolist(), shares.argmax(-1).tolist())
    assert accuracy(shares, wanted, weights) == pytest.approx(theirs)
    assert accuracy(shares, wanted) == pytest.approx(0.9)


def test_a_regression_is_scikit_learns_with_balanced_weights(tiny: Path) -> None:
    rows, plan = uneven(30, 3), Plan(method="regression", class_weight="balanced")
    learner = learner_for(load_start(BAG), LABELS[:2], plan)
    learner.learn(rows, [], plan, lambda report: None)
    made = learner.reader.vectorizer.transform([row.text for row in rows]).toarray()
    theirs = LogisticRegression(max_iter=1000, class_weight="balanced").fit(made, [row.label for row in rows])
    assert learner.probabilities(rows).numpy() == pytest.approx(theirs.predict_proba(made), abs=1e-4)
    plain = LogisticRegression(max_iter=1000).fit(made, [row.label for row in rows])
    assert learner.probabilities(rows).numpy() != pytest.approx(plain.predict_proba(made), abs=1e-2)


@pytest.mark.parametrize(
    ("name", "method", "rate"), [("elmo-original", "mix", 0.1), ("word-vectors-mini", "regression", 1e-3)]
)
def test_with_weights_a_rare_label_is_thought_likelier(tiny: Path, name: str, method: str, rate: float) -> None:
    rows, mean = uneven(36, 4), {}
    for weight in ("", "balanced"):
        plan = Plan(epochs=10, learning_rate=rate, method=method, class_weight=weight, validation_share=0.25)
        tuned = fine_tune(loader().get(BY_NAME[name]), rows, plan)
        rare = [row.probability if row.label == "B" else 1 - row.probability for row in tuned.judged]
        mean[weight] = sum(rare) / len(rare)
    assert mean["balanced"] > mean[""]
