"""Learns by solving a logistic regression (scikit-learn) on vectors of texts, from word vectors or a bag of words."""

from __future__ import annotations

import time
from collections.abc import Sequence

import torch
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from torch import Tensor, nn

from app.engine.adapters.words_classifier import WORDS, WordsReader
from app.models.small_heads import LinearHead
from app.registry.checkpoint import CLASSIFICATION
from app.results.tuning.fine_tune import LossPoint, TuningReport, ValidationPoint
from app.training.labelled import Example
from app.training.learners.bag_of_words import BagOfWords
from app.training.learners.gradient import accuracy, numbers
from app.training.learners.learner import Made, Vectors, count, size
from app.training.learners.network import read_words
from app.training.plan import Course, Plan, Report

MOST_ITERATIONS = 1_000


class RegressionLearner:
    """Implements `Learner`: one vector per text, a weight for each feature and label, and a plain L2 penalty.

    Args:
        reader: makes the vectors; if it must know the training rows first, it learns its words from them.
        labels: their names in order.
        vectors: the reader's output for rows read before, if it never changes; filled with those read now.
        scaled: first scale every feature to mean 0 and deviation 1, as the penalty needs if features differ in size;
            means of word vectors are short. The kept layer takes unscaled vectors.
    """

    def __init__(self, reader: WordsReader, labels: list[str], vectors: Vectors, *, scaled: bool) -> None:
        self.reader, self.labels, self.vectors, self.scaled = reader, labels, vectors, scaled
        self.head: LinearHead | None = None

    def learn(
        self, train: Sequence[Example], kept_back: Sequence[Example], plan: Plan, report: Report
    ) -> Course | None:
        """See `Learner`: solved at once, in a single step."""
        started = time.perf_counter()
        if isinstance(self.reader, BagOfWords):
            self.reader.learn_words([row.text for row in train])
            self.vectors = {}
        if report(TuningReport(0, 1, 0.0, 0.0, 0.0, None)):
            return None
        wanted, made = numbers(self.labels, train).numpy(), self._read(train)[:, 0].numpy()  # [row, feature]
        scaler = StandardScaler(with_mean=self.scaled, with_std=self.scaled).fit(made)
        solver = LogisticRegression(max_iter=MOST_ITERATIONS, class_weight=plan.class_weight or None)
        solver.fit(scaler.transform(made), wanted)
        self.head = self._head_of(solver, scaler)
        course = Course(kept_step=1)
        course.history.append(LossPoint(1, self._loss(train)))
        point = None
        if kept_back:
            right = accuracy(self.probabilities(kept_back), numbers(self.labels, kept_back))
            point = ValidationPoint(1, self._loss(kept_back), right)
            course.validations.append(point)
        seconds = time.perf_counter() - started
        if report(TuningReport(1, 1, course.history[0].loss, seconds, 0.0, point)):
            course.stopped = "stopped"
        return course

    def _head_of(self, solver: LogisticRegression, scaler: StandardScaler) -> LinearHead:
        """The solution as a layer on unscaled vectors; with two labels, the second one has the weights."""
        weights, biases = solver.coef_, solver.intercept_  # [label, feature] and [label]
        if self.scaled:
            weights = weights / scaler.scale_
            biases = biases - weights @ scaler.mean_
        head = LinearHead(weights.shape[1], self.labels)
        first = len(self.labels) - len(weights)
        with torch.no_grad():
            head.linear.weight[first:] = torch.from_numpy(weights).float()
            head.linear.bias[first:] = torch.from_numpy(biases).float()
        return head.eval()

    def _read(self, rows: Sequence[Example]) -> Tensor:
        read_words(self.reader, rows, self.vectors)
        return torch.stack([self.vectors[row] for row in rows])

    def probabilities(self, rows: Sequence[Example]) -> Tensor:
        """See `Learner`; before it has learned, all labels are equally probable."""
        if self.head is None:
            return torch.full((len(rows), len(self.labels)), 1.0 / len(self.labels))
        if not rows:
            return torch.zeros(0, len(self.labels))
        with torch.inference_mode():
            return self.head(self._read(rows)).softmax(dim=-1)

    def _loss(self, rows: Sequence[Example]) -> float:
        shares = self.probabilities(rows).clamp(min=1e-9)
        return float(nn.functional.nll_loss(shares.log(), numbers(self.labels, rows)))

    def finish(self) -> Made:
        """See `Learner`."""
        return Made(self.head, WORDS, self.reader, frozenset({CLASSIFICATION}), count(self.head), size(self.head))
