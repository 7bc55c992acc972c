"""Learns by gradients in the loop of `trainer.py`; the best weights on the rows kept back are kept."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

from app.engine.adapters.batching import length_sorted_batches
from app.results.tuning.fine_tune import LossPoint, TuningReport, ValidationPoint
from app.training.answers.rows import Asked
from app.training.labelled import Example, augment_example, batches, steps_per_epoch
from app.training.learners.class_weights import balanced_weights
from app.training.learners.learner import Made
from app.training.learners.network import Network
from app.training.plan import Course, Plan, Report
from app.training.tags.rows import TaggedText
from app.training.trainer import Budget, Loop, Progress, parameter_groups

Row = TypeVar("Row", bound=Example | TaggedText | Asked)
WEIGHT_DECAY = 0.01
# Validation happens at the end of each epoch, and within long ones.
STEPS_BETWEEN_VALIDATIONS = 40


class GradientLearner(Generic[Row]):
    """Implements `Learner` with a network.

    Args:
        network: with its new head.
        labels: their names in order.
        reads_once: whether everything but the head is frozen, so there is no training mode.
    """

    def __init__(self, network: Network, labels: list[str], reads_once: bool) -> None:
        self.network, self.labels, self.reads_once = network, labels, reads_once
        self._best: dict[str, Tensor] = {}
        self._best_key = (-1.0, 0.0)
        self._weights: Tensor | None = None  # of the labels; None if every row counts the same

    def learn(
        self, train: Sequence[Example], kept_back: Sequence[Example], plan: Plan, report: Report
    ) -> Course | None:
        """See `Learner`."""
        started, course, per_epoch = time.perf_counter(), Course(), steps_per_epoch(len(train), plan.batch_size)
        self._weights = balanced_weights(self.labels, train) if plan.class_weight else None
        self.network.read([*train, *kept_back])
        steps = per_epoch * plan.epochs
        if report(TuningReport(0, steps, 0.0, time.perf_counter() - started, 0.0, None)):
            return None

        def on_progress(progress: Progress) -> bool:
            course.history.append(LossPoint(progress.step, progress.loss))
            due = progress.step % per_epoch == 0 or progress.step % STEPS_BETWEEN_VALIDATIONS == 0
            point = self._keep_best(course, kept_back, progress.step, progress.loss) if due else None
            seconds = time.perf_counter() - started
            if report(TuningReport(progress.step, steps, progress.loss, seconds, progress.seconds_left, point)):
                course.stopped = "stopped"
            elif plan.seconds is not None and seconds > plan.seconds:
                course.stopped = "time"
            return course.stopped != "done"

        groups = parameter_groups(self.network.learning, WEIGHT_DECAY)
        # Most weights are word vectors, and a step of a few rows updates them all: fused, it reads them only once.
        optimizer = torch.optim.AdamW(groups, lr=plan.learning_rate, fused=True)
        self.network.learning.train(not self.reads_once)
        loop = Loop(self._loss, optimizer, Budget(steps=steps), on_progress=on_progress)
        last = loop.run(self._batches(train, plan))
        self._keep_best(course, kept_back, last.step, last.loss)
        self._restore()
        return course

    def probabilities(self, rows: Sequence[Example]) -> Tensor:
        """See `Learner`; training mode is restored afterwards."""
        self.network.read(rows)
        training = self.network.learning.training
        self.network.learning.eval()
        answer = torch.zeros(len(rows), len(self.labels))
        with torch.inference_mode():
            for batch in length_sorted_batches([row.length for row in rows]):
                logits = self.network.logits([rows[index] for index in batch])
                answer[batch] = logits.float().softmax(dim=-1).cpu()
        self.network.learning.train(training)
        return answer

    def finish(self) -> Made:
        """See `Learner`."""
        return self.network.made()

    def _batches(self, train: Sequence[Example], plan: Plan) -> Iterator[list[Example]]:
        drawn = random.Random(plan.seed + 1)
        for indices in batches([row.length for row in train], plan.batch_size, plan.seed):
            chosen = [train[index] for index in indices]
            if plan.augment and not plan.reads_once:
                chosen = [augment_example(row, drawn) for row in chosen]
            yield chosen

    def _loss(self, batch: Sequence[Example]) -> Tensor:
        logits = self.network.logits(batch).float()
        wanted = torch.tensor([self.labels.index(row.label) for row in batch], device=logits.device)
        # Divided by the number of rows, not by their weights: a batch without rare labels says less about the whole.
        weights = None if self._weights is None else self._weights.to(logits.device)
        losses = nn.functional.cross_entropy(logits, wanted, weight=weights, reduction="none")
        return losses.mean() + self.network.penalty()

    def _keep_best(
        self, course: Course, kept_back: Sequence[Example], step: int, loss: float
    ) -> ValidationPoint | None:
        """Judge on the validation rows and keep the weights if they do better; without such rows, keep the newest."""
        if course.validations and course.validations[-1].step == step:
            return None
        point, key = None, (0.0, float(step))
        if kept_back:
            point, key = self._judge(kept_back, step)
            course.validations.append(point)
        if key > self._best_key:
            trained = ((name, one) for name, one in self.network.learning.named_parameters() if one.requires_grad)
            self._best = {name: weight.detach().clone() for name, weight in trained}
            self._best_key, course.kept_step = key, step
        return point

    def _judge(self, kept_back: Sequence[Example], step: int) -> tuple[ValidationPoint, tuple[float, float]]:
        """Scores on the rows kept back, and the key (weighted by label) for comparison with earlier states."""
        shares, wanted = self.probabilities(kept_back), numbers(self.labels, kept_back)
        mean_loss = float(nn.functional.nll_loss(shares.clamp(min=1e-9).log(), wanted, weight=self._weights))
        point = ValidationPoint(step, mean_loss, accuracy(shares, wanted))
        return point, (accuracy(shares, wanted, self._weights), -mean_loss)

    def _restore(self) -> None:
        with torch.no_grad():
            for name, weight in self.network.learning.named_parameters():
                if name in self._best:
                    weight.copy_(self._best[name])
        self._best = {}


def numbers(labels: Sequence[str], rows: Sequence[Example]) -> Tensor:
    """The true labels as numbers."""
    return torch.tensor([labels.index(row.label) for row in rows])


def accuracy(shares: Tensor, wanted: Tensor, weights: Tensor | None = None) -> float:
    """Share of rows whose most probable label is right, weighted by label if weights are given."""
    right = (shares.argmax(dim=-1) == wanted).float()
    return float(right.mean() if weights is None else (right * weights[wanted]).sum() / weights[wanted].sum())
