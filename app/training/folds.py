"""k-fold: one model learns from all rows, and k others are each judged on the rows they did not learn from.

If rows are few, one split leaves too few to tell a good model from a lucky one; with k folds, every row judges once.
The judging rows choose nothing: each training takes all its steps and its last weights are judged, so the figures
show what to expect of the model that learned from all rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import torch
from sklearn.model_selection import StratifiedKFold
from torch import Tensor

from app.engine.runtime.loaded import Loaded
from app.results.tuning.fine_tune import FoldScore, Judged, TuningReport
from app.training.fine_tune import FineTuned, fine_tune, judge
from app.training.labelled import Example, label_names
from app.training.learners.gradient import accuracy, numbers
from app.training.learners.start import learner_for
from app.training.plan import Plan, Report
from app.training.scores import score_labels


def fold_rows(examples: Sequence[Example], folds: int, seed: int) -> list[tuple[list[Example], list[Example]]]:
    """Rows to learn from and rows to judge, for each fold; each label has its share in all of them.

    scikit-learn's `StratifiedKFold` on the distinct rows. Equal rows stay together; otherwise memorising would count as
    understanding.
    """
    different = [*dict.fromkeys(examples)]
    cut = StratifiedKFold(folds, shuffle=True, random_state=seed)
    fold_of: dict[Example, int] = {}
    for number, (_, judging) in enumerate(cut.split(different, [row.label for row in different])):
        fold_of |= {different[place]: number for place in judging}
    return [
        ([row for row in examples if fold_of[row] != number], [row for row in examples if fold_of[row] == number])
        for number in range(folds)
    ]


def tune_in_folds(
    base: Loaded, examples: Sequence[Example], plan: Plan, folds: int, report: Report = lambda report: None
) -> FineTuned | None:
    """Train the kept model on all rows, then judge models like it in folds.

    Args:
        base: as in `fine_tune`.
        examples: with at least as many distinct rows of each label as there are folds.
        plan: how to train; no share is kept back, and `seconds` limits all trainings together.
        folds: number of folds.
        report: called after each step of each training.

    Returns:
        The model that learned from all rows, with the scores of the finished folds; None if `report` ended the training
        before its first step.
    """
    return _Folds(base, examples, replace(plan, validation_share=0.0), folds, report).run()


@dataclass
class _Judgement:
    """The results of the folds so far."""

    folds: list[FoldScore] = field(default_factory=list)
    rows: list[Example] = field(default_factory=list)
    before: list[Tensor] = field(default_factory=list)
    after: list[Tensor] = field(default_factory=list)


class _Folds:
    """The running trainings."""

    def __init__(self, base: Loaded, examples: Sequence[Example], plan: Plan, folds: int, report: Report) -> None:
        self.base, self.examples, self.plan, self.folds, self.report = base, examples, plan, folds, report
        self.labels, self.vectors, self.started = label_names(examples), dict(), time.perf_counter()
        self.judged, self.ended = _Judgement(), "done"

    def run(self) -> FineTuned | None:
        whole = fine_tune(self.base, self.examples, self.plan, self._tell(0))
        if whole is None:
            return None
        self.ended = whole.stopped
        for number, (train, judging) in enumerate(fold_rows(self.examples, self.folds, self.plan.seed), start=1):
            if self.ended != "done":
                break
            self._judge(number, train, judging)
        return self._with_scores(whole)

    def _tell(self, part: int) -> Callable[[TuningReport], bool | None]:
        """Report a training as one of several."""

        def tell(report: TuningReport) -> bool | None:
            of_this = report.seconds + report.seconds_left
            left = report.seconds_left + (self.folds - part) * of_this
            return self.report(replace(report, seconds_left=left, part=part, parts=self.folds))

        return tell

    def _plan(self) -> Plan:
        """The plan within the remaining time."""
        if self.plan.seconds is None:
            return self.plan
        return replace(self.plan, seconds=self.plan.seconds - (time.perf_counter() - self.started))

    def _judge(self, number: int, train: list[Example], judging: list[Example]) -> None:
        plan = self._plan()
        if plan.seconds is not None and plan.seconds <= 0:
            self.ended = "time"
            return
        learner = learner_for(self.base, self.labels, plan, self.vectors)
        before = learner.probabilities(judging)
        course = learner.learn(train, [], plan, self._tell(number))
        if course is None or course.stopped != "done":  # an unfinished training has no result
            self.ended = course.stopped if course else "stopped"
            return
        after = learner.probabilities(judging)
        scores = score_labels(*self._numbers(judging, after, train), len(self.labels))
        self.judged.folds.append(FoldScore(len(judging), scores.accuracy, scores.macro_f1))
        self.judged.rows += judging
        self.judged.before.append(before)
        self.judged.after.append(after)

    def _numbers(
        self, judging: Sequence[Example], after: Tensor, train: Sequence[Example]
    ) -> tuple[list[int], list[int], list[int]]:
        true, trained_on = (numbers(self.labels, rows).tolist() for rows in (judging, train))
        return true, after.argmax(dim=-1).tolist(), trained_on

    def _with_scores(self, whole: FineTuned) -> FineTuned:
        """All judged rows as one table, each answered by the model that had not seen it."""
        seconds, rows = time.perf_counter() - self.started, self.judged.rows
        if not rows:
            return replace(whole, stopped=self.ended, seconds=seconds)
        before, after = torch.cat(self.judged.before), torch.cat(self.judged.after)
        judged: list[Judged] = judge(rows, self.labels, before, after)
        return replace(
            whole,
            validation=score_labels(*self._numbers(rows, after, self.examples), len(self.labels)),
            before_accuracy=accuracy(before, numbers(self.labels, rows)),
            judged=judged,
            stopped=self.ended,
            seconds=seconds,
            kept=len(rows),
            folds=self.judged.folds,
        )
