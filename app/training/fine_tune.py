"""Fine-tunes a starting point on labelled rows: a `Learner` learns; this module keeps rows back and judges it.

The same code serves the page, the API and the bundled checkpoints. It knows no catalog, no visitor and no limits.
Dropout is off, so the result depends only on the seed, not on what else the process computes.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from torch import Tensor, nn

from app.engine.runtime.loaded import Loaded
from app.models.small_heads import MixedHead
from app.results.tuning.fine_tune import (
    EntityScores,
    FoldScore,
    Judged,
    JudgedTags,
    LossPoint,
    Mix,
    ValidationPoint,
    ValidationScores,
)
from app.training.labelled import Example, label_names, split
from app.training.learners.gradient import accuracy, numbers
from app.training.learners.learner import Made
from app.training.learners.start import learner_for
from app.training.plan import Plan as Plan
from app.training.plan import Report
from app.training.scores import score_labels


@dataclass(frozen=True)
class FineTuned:
    """The outcome: a model in evaluation mode with everything needed for answers, and the course of the training."""

    made: Made
    labels: list[str]
    history: list[LossPoint]
    validation_history: list[ValidationPoint]
    validation: ValidationScores | None
    before_accuracy: float | None  # on the rows kept back, with an untrained head
    judged: list[Judged]  # every validation row
    kept_step: int
    stopped: str  # "done", "stopped", "time"
    seconds: float
    rows: int
    kept: int  # rows kept back
    entities: EntityScores | None = None  # for rows whose words have labels
    tagged: list[JudgedTags] = field(default_factory=list)  # for the same, every validation row
    folds: list[FoldScore] = field(default_factory=list)  # if the rows were judged in folds

    @property
    def model(self) -> nn.Module:
        return self.made.model


def fine_tune(
    base: Loaded, examples: Sequence[Example], plan: Plan, report: Report = lambda report: None
) -> FineTuned | None:
    """Train on labelled texts or pairs, cut to the length the model reads (in a pair, the longer text first).

    Args:
        base: a loaded checkpoint, or the bag of words; left as it is.
        examples: with at least two different labels.
        plan: how to train, with a method of the base's family.
        report: called after each step.

    Returns:
        The kept model; None if `report` ended the training before its first step.
    """
    started, labels = time.perf_counter(), label_names(examples)
    train, kept_back = split(examples, plan.validation_share, plan.seed)
    learner = learner_for(base, labels, plan)
    before = learner.probabilities(kept_back)
    course = learner.learn(train, kept_back, plan, report)
    if course is None:
        return None
    made = learner.finish()
    after = learner.probabilities(kept_back)
    return FineTuned(
        made=made,
        labels=labels,
        history=course.history,
        validation_history=course.validations,
        validation=_scores(labels, kept_back, train, after) if kept_back else None,
        before_accuracy=accuracy(before, numbers(labels, kept_back)) if kept_back else None,
        judged=judge(kept_back, labels, before, after),
        kept_step=course.kept_step,
        stopped=course.stopped,
        seconds=time.perf_counter() - started,
        rows=len(train),
        kept=len(kept_back),
    )


def mix_of(model: nn.Module) -> Mix | None:
    """What a task learnt about ELMo's layers."""
    if not isinstance(model, MixedHead):
        return None
    return Mix(model.mix.gamma.item(), model.mix.weights.softmax(dim=0).tolist())


def _scores(
    labels: Sequence[str], kept_back: Sequence[Example], train: Sequence[Example], shares: Tensor
) -> ValidationScores:
    true, trained_on = (numbers(labels, rows).tolist() for rows in (kept_back, train))
    return score_labels(true, shares.argmax(dim=-1).tolist(), trained_on, len(labels))


def judge(kept_back: Sequence[Example], labels: Sequence[str], before: Tensor, after: Tensor) -> list[Judged]:
    """Rows with the answers to them, from the probabilities [row, label] before and after the training."""
    rows = zip(kept_back, before.tolist(), after.tolist(), strict=True)
    return [
        Judged(
            text=example.text,
            label=example.label,
            predicted=labels[max(range(len(late)), key=late.__getitem__)],
            probability=late[labels.index(example.label)],
            probability_before=early[labels.index(example.label)],
            text_pair=example.text_pair,
        )
        for example, early, late in rows
    ]
