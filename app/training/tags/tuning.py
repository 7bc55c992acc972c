"""Fine-tunes an encoder on texts whose words have labels; whole entities are counted on rows kept back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

from app.engine.runtime.loaded import Loaded
from app.engine.text.tags import entities_in
from app.results.tuning.fine_tune import EntityScores, JudgedTags, MarkedSpan, ValidationScores
from app.training.fine_tune import FineTuned
from app.training.plan import Plan, Report
from app.training.scores import score_labels
from app.training.tags.learner import TagLearner, TagNetwork
from app.training.tags.rows import TaggedText, score_entities, split_tagged, tag_names


def tune_tags(
    base: Loaded, rows: Sequence[TaggedText], plan: Plan, report: Report = lambda report: None
) -> FineTuned | None:
    """Train on texts with labels of words; longer texts are cut to what the model reads.

    Args:
        base: a loaded encoder with a class for token classification; left as it is.
        rows: with at least one entity in total.
        plan: how to train; nothing is augmented.
        report: called after each step.

    Returns:
        The kept model; None if `report` ended the training before its first step.
    """
    started, labels = time.perf_counter(), tag_names(rows)
    train, kept_back = split_tagged(rows, plan.validation_share, plan.seed)
    learner = TagLearner(TagNetwork(base, labels, plan), labels, reads_once=False)
    before, _ = learner.tags(kept_back)
    course = learner.learn(train, kept_back, plan, report)
    if course is None:
        return None
    made = learner.finish()
    after, _ = learner.tags(kept_back)
    entities = score_entities([row.tags for row in kept_back], after) if kept_back else None
    return FineTuned(
        made=made,
        labels=labels,
        history=course.history,
        validation_history=course.validations,
        validation=_scores(labels, kept_back, train, after, entities) if entities else None,
        before_accuracy=_scores(labels, kept_back, train, before, entities).accuracy if entities else None,
        judged=[],
        kept_step=course.kept_step,
        stopped=course.stopped,
        seconds=time.perf_counter() - started,
        rows=len(train),
        entities=entities,
        tagged=[_judged(row, tags) for row, tags in zip(kept_back, after, strict=True)],
        kept=len(kept_back),
    )


def _scores(
    labels: Sequence[str],
    kept_back: Sequence[TaggedText],
    train: Sequence[TaggedText],
    found: Sequence[Sequence[str]],
    entities: EntityScores,
) -> ValidationScores:
    """Share of words that are right, beside always answering the most frequent label; macro-F1 is that of entities."""
    numbers = {label: number for number, label in enumerate(labels)}
    true, trained_on = ([numbers[tag] for row in rows for tag in row.tags] for rows in (kept_back, train))
    scores = score_labels(true, [numbers[tag] for tags in found for tag in tags], trained_on, len(labels))
    return replace(scores, macro_f1=fmean(one.f1 for one in entities.types) if entities.types else 0.0)


def _judged(row: TaggedText, found: Sequence[str]) -> JudgedTags:
    return JudgedTags(row.text, _spans(row, row.tags), _spans(row, found))


def _spans(row: TaggedText, tags: Sequence[str]) -> list[MarkedSpan]:
    return [MarkedSpan(row.words[e.first][0], row.words[e.end - 1][1], e.label) for e in entities_in(tags)]
