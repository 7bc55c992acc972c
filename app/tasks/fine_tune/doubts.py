"""Why a fine-tuning may be no better than chance: what a visitor can change, likeliest first."""

from __future__ import annotations

from math import sqrt

from app.registry.checkpoint import Checkpoint
from app.results.tuning.fine_tune import ValidationScores
from app.tasks.files.language import language_of_texts
from app.tasks.fine_tune.rows import RATE_OF, Options
from app.training.labelled import Example

# Fewer rows kept back prove little; from fewer rows per label, a small encoder learns little.
FEW_KEPT, FEW_OF_A_LABEL, FEW_STEPS = 20, 50, 30
# A learning rate is mentioned if it differs from the suitable one by more than these factors.
LOW, HIGH = 0.1, 3.0
# Chance stays below guessing plus this many standard deviations 39 times in 40.
DEVIATIONS = 2.0


def beats_luck(scores: ValidationScores) -> bool:
    """Whether the accuracy exceeds lucky guessing on this number of rows."""
    rows, guessing = sum(map(sum, scores.confusion)), scores.guessing
    return scores.accuracy > guessing + DEVIATIONS * sqrt(guessing * (1 - guessing) / rows)


def doubts_about(
    checkpoint: Checkpoint, rows: list[Example], options: Options, scores: ValidationScores | None, steps: int
) -> list[str]:
    """Keys of the reasons; empty if the model beats luck, or if no rows were kept back to judge it.

    Args:
        checkpoint: the encoder.
        rows: all rows that were sent.
        options: the settings of the training.
        scores: on the rows kept back.
        steps: the number of training steps.
    """
    if scores is None or beats_luck(scores):
        return []
    language = language_of_texts(row.text for row in rows)
    kept, labels = sum(map(sum, scores.confusion)), len(scores.confusion)
    learned_from = len(rows) if options.folds else len(rows) - kept  # in k-fold, all rows teach and all judge
    solved = options.method not in RATE_OF
    times = 1.0 if solved else options.learning_rate / RATE_OF[options.method]
    found = {
        "language": checkpoint.language not in (language, "multi"),
        "scratch": options.from_scratch,
        "rate_low": times < LOW,
        "rate_high": times > HIGH,
        "steps": steps < FEW_STEPS and not solved,
        "rows": learned_from < FEW_OF_A_LABEL * labels,
        "kept": kept < FEW_KEPT,
    }
    return [key for key, holds in found.items() if holds] or ["hard"]
