"""Trains an encoder to point at answers in passages; questions about some passages are kept back to choose a state."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from app.engine.runtime.loaded import Loaded
from app.training.answers.generated.mixture import Mixture
from app.training.answers.hinted import HintedLearner, HintedNetwork
from app.training.answers.learner import SpanLearner, SpanNetwork
from app.training.answers.rows import Asked, split_asked
from app.training.fine_tune import FineTuned
from app.training.plan import Plan, Report


def tune_answers(
    base: Loaded,
    rows: Sequence[Asked],
    plan: Plan,
    report: Report = lambda report: None,
    *,
    mixed: Callable[[Sequence[Asked]], Mixture] | None = None,
    rank: int = 0,
) -> FineTuned | None:
    """Train on questions about passages.

    Args:
        base: a loaded encoder with a class for question answering; left as it is.
        rows: with and without an answer.
        plan: how to train.
        report: called after each step.
        mixed: makes of the rows that are not kept back what is learnt instead, with hints; an epoch is as many rows.
        rank: with `mixed`, of the change that can be stored.

    Returns:
        The kept model; None if `report` ended the training before its first step.
    """
    started = time.perf_counter()
    train, kept_back = split_asked(rows, plan.validation_share, plan.seed)
    if mixed is None:
        learner = SpanLearner(SpanNetwork(base, plan), [], reads_once=False)
    else:
        learner = HintedLearner(HintedNetwork(base, plan), mixed(train), rank)
    course = learner.learn(train, kept_back, plan, report)
    if course is None:
        return None
    return FineTuned(
        made=learner.finish(),
        labels=[],
        history=course.history,
        validation_history=course.validations,
        validation=None,
        before_accuracy=None,
        judged=[],
        kept_step=course.kept_step,
        stopped=course.stopped,
        seconds=time.perf_counter() - started,
        rows=len(train),
        kept=len(kept_back),
    )
