"""Scores of predicted labels, by scikit-learn's definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sklearn.metrics import accuracy_score, confusion_matrix, f1_score

from app.results.tuning.fine_tune import ValidationScores


def score_labels(
    true: Sequence[int], predicted: Sequence[int], trained_on: Sequence[int], labels: int
) -> ValidationScores:
    """Accuracy, macro-F1 and confusion, beside always answering the most frequent training label.

    Args:
        true: the right labels of the validation rows, as numbers.
        predicted: the model's answers.
        trained_on: the labels of the training rows.
        labels: the number of labels.
    """
    # The smallest number among the most frequent labels, so that every run gives the same.
    counts = Counter(trained_on)
    majority = min(counts, key=lambda label: (-counts[label], label))
    return ValidationScores(
        accuracy=float(accuracy_score(true, predicted)),
        macro_f1=float(f1_score(true, predicted, average="macro", zero_division=0)),
        confusion=confusion_matrix(true, predicted, labels=range(labels)).tolist(),
        baseline_accuracy=float(accuracy_score(true, [majority] * len(true))),
    )
