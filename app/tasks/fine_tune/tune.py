"""Fine-tunes a small model (`app.training`) on a visitor's rows: checks, the one slot, a model for this visitor."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from app.engine.heads import CLASSIFICATION
from app.engine.runtime.device import memory_errors
from app.engine.runtime.yielding import give_way
from app.errors import PlaygroundError
from app.late_imports import importing
from app.registry.checkpoint import Checkpoint
from app.results.tuning.fine_tune import FineTuneResult, Judged, JudgedTags, LossPoint, TuningReport, ValidationPoint
from app.settings import settings
from app.tasks.fine_tune.doubts import doubts_about
from app.tasks.fine_tune.keeping import is_portable, keep
from app.tasks.fine_tune.kinds import TAGS, Rows, check_fitting, check_rows
from app.tasks.fine_tune.rows import Options, check_options
from app.tasks.fine_tune.starting import find_start, load_start, method_for, read_rows
from app.training.slot import LineIsFull, TrainingSlot
from app.visits import Visit, visits

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded
    from app.training.fine_tune import FineTuned


@dataclass
class Tuning:
    """One fine-tuning, which can be watched and stopped from outside while it runs."""

    ahead: int | None = None  # how many are before it in the queue; None until it is queued
    report: TuningReport | None = None
    history: list[LossPoint] = field(default_factory=list)
    validations: list[ValidationPoint] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def on_wait(self, ahead: int) -> bool:
        """Called by the slot: note the place in the queue."""
        self.ahead = ahead
        return self.stop.is_set()

    def on_report(self, report: TuningReport) -> bool:
        """Called by the training: note its state."""
        if self.report is not None and self.report.part != report.part:  # each training of k-fold has its own curve
            self.history, self.validations = [], []
        self.report = report
        if report.step:
            self.history.append(LossPoint(report.step, report.loss))
        if report.validation:
            self.validations.append(report.validation)
        return self.stop.is_set()


@dataclass(frozen=True)
class TunedRun:
    """A fine-tuning that ended with a model."""

    result: FineTuneResult
    options: Options
    judged: list[Judged]  # every validation row
    tagged: list[JudgedTags] = field(default_factory=list)  # the same for rows whose words have labels


def fine_tune(
    examples: list[dict[str, Any]],
    model: str = "",
    epochs: int = 3,
    learning_rate: float = 2e-4,
    seed: int = 0,
    validation_share: float = 0.2,
    kind: str = "",
    class_weight: str = "",
    visitor: str = "",
) -> FineTuneResult:
    """Train a small model to distinguish your own labels; see `/fine_tune`.

    The trained copy answers `/classify` and `/attribute`, or `/tag`, only for the same client, under the `name` in the
    answer, until the session ends. One training runs at a time; others wait for it.

    Args:
        examples: each `{"text": ..., "label": ...}`, with at least two different labels; any labels will do. For pairs,
            each has a `"text_pair"` as well; the model is then asked with `seconds`. For labels of words, each is
            `{"text": "[Ada](person) lives in [London](place)"}`, or `{"text": ..., "entities": [{"start", "end",
            "label"}]}`, or `{"words": [...], "tags": ["B-person", "O", ...]}`.
        model: catalog name of a small encoder, or of another starting point: `gpt2-mini`, `elmo-mini`,
            `word-vectors-mini`, or `bag-of-words`; each is trained as in its paper. Empty for the default encoder.
        epochs: passes over the rows.
        learning_rate: at its peak; it warms up and then falls to 0.
        seed: the same seed gives the same model.
        validation_share: share of the rows kept back to test the model; the best model on them is kept.
        kind: `text`, `pair` or `tags`; empty to tell from the rows.
        class_weight: `balanced`, for rare labels, makes the rows of each label count as much together as those of any
            other (weights n / (k n_c), as in scikit-learn); if empty, every row counts the same.
        visitor: key of the visit.

    Raises:
        PlaygroundError: `bad_value`, `empty_text`, `too_long`, `unknown_model`, `wrong_model`, `model_unavailable`,
            `busy`.
    """
    options = Options(epochs, learning_rate, seed, validation_share, class_weight=class_weight)
    run = run_tuning(examples, model, options, visitor, Tuning(), kind)
    if run is None:
        raise PlaygroundError("busy", "stopped")
    return run.result


def run_tuning(
    examples: object, model: str, options: Options, visitor: str, tuning: Tuning, kind: str = ""
) -> TunedRun | None:
    """Wait for the slot, train, and keep the model for the visitor; None if it was stopped before its first step.

    Raises:
        PlaygroundError: as `fine_tune`.
    """
    checkpoint, options = find_start(model), check_options(options)
    method = method_for(checkpoint, options.method, from_scratch=options.from_scratch)
    if not visitor:
        raise PlaygroundError("bad_value", "session")
    rows = check_rows(examples, kind)
    method_for(checkpoint, method, pairs=rows.pairs, tags=rows.kind == TAGS)
    check_fitting(rows, options)
    options = replace(options, method=method)
    visit = visits().get(visitor)
    visit.own("training", tuning.stop.set)
    try:
        with slot().turn(tuning.on_wait) as held:
            return _train(checkpoint, rows, options, visit, tuning) if held else None
    except LineIsFull as error:
        raise PlaygroundError("busy", "tuning") from error


def _train(checkpoint: Checkpoint, rows: Rows, options: Options, visit: Visit, tuning: Tuning) -> TunedRun | None:
    with importing():
        from app.training.fine_tune import mix_of

    base = load_start(checkpoint)
    reading = read_rows(base, rows.examples, options.cut)
    tuned = _learn(base, rows, options, tuning)
    kept = keep(base, tuned, visit) if tuned is not None else None
    if tuned is None or kept is None:
        return None
    result = FineTuneResult(
        name=kept.checkpoint.name,
        model=checkpoint.name,
        revision=checkpoint.revision,
        labels=tuned.labels,
        history=tuned.history,
        validation=tuned.validation,
        seconds=tuned.seconds,
        validation_history=tuned.validation_history,
        kept_step=tuned.kept_step,
        stopped=tuned.stopped,
        rows=tuned.rows,
        validation_rows=tuned.kept,
        pairs=rows.pairs,
        cut_rows=reading.cut_rows,
        unknown_share=reading.unknown_share,
        before_accuracy=tuned.before_accuracy,
        doubts=doubts_about(checkpoint, rows.examples, options, tuned.validation, len(tuned.history)),
        trained_weights=tuned.made.trained,
        kept_bytes=tuned.made.bytes,
        mix=mix_of(tuned.model),
        explains=CLASSIFICATION in kept.heads and kept.head(CLASSIFICATION).explains,
        portable=is_portable(kept),
        kind=rows.kind,
        entities=tuned.entities,
        folds=tuned.folds,
        folds_asked=options.folds,
    )
    return TunedRun(result, options, tuned.judged, tuned.tagged)


def _learn(base: Loaded, rows: Rows, options: Options, tuning: Tuning) -> FineTuned | None:
    with importing():
        from app.training.fine_tune import Plan, fine_tune
        from app.training.folds import tune_in_folds
        from app.training.tags.tuning import tune_tags

    how = {name: value for name, value in vars(options).items() if name not in ("cut", "folds")}
    plan = Plan(**how, seconds=settings().tuned_minutes * 60.0)
    with memory_errors():
        if rows.kind == TAGS:
            return give_way(lambda: tune_tags(base, rows.tagged, plan, tuning.on_report))
        if options.folds:
            return give_way(lambda: tune_in_folds(base, rows.examples, plan, options.folds, tuning.on_report))
        return give_way(lambda: fine_tune(base, rows.examples, plan, tuning.on_report))


@cache
def slot() -> TrainingSlot:
    """The one slot of this process."""
    return TrainingSlot(settings().tuned_waiting)
