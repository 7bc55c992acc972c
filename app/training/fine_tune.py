"""Fine-tunes an encoder into a classifier: a copy of it, never the encoder itself, in the loop of `trainer.py`.

The same code serves the page, the API and the bundled checkpoints. It knows no catalog, no visitor and no limits.
Dropout is off: the seed alone decides, whatever else the process computes meanwhile.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from app.engine.families.batching import length_sorted_batches
from app.engine.runtime.loaded import Loaded
from app.registry.checkpoint import TOKEN_VECTORS
from app.results.fine_tune import Judged, LossPoint, TuningReport, ValidationPoint, ValidationScores
from app.training.classifier_model import Method, build_classifier, finish, head_vectors, make_trainable
from app.training.labelled import Example, augment_example, batches, label_names, split, steps_per_epoch
from app.training.reading import Reader
from app.training.scores import score_labels
from app.training.trainer import Budget, Loop, Progress, parameter_groups

WEIGHT_DECAY = 0.01
# Validation at the end of each epoch, and inside of long ones.
STEPS_BETWEEN_VALIDATIONS = 40
# Told after each step; returning True ends the training, and the best so far is kept.
Report = Callable[[TuningReport], bool | None]


@dataclass(frozen=True)
class Plan:
    """How to train.

    Attributes:
        epochs: passes over the rows.
        learning_rate: at its peak; warm-up over the first 6 % of the steps, then down to 0, both linearly.
        batch_size: rows of one step.
        seed: of the rows kept back, their order, the new head, and augmentation.
        validation_share: of the rows, kept back.
        method: what is trained: "full", everything; "frozen", the head alone; "lora", low-rank changes and the head.
        rank: of the low-rank changes, for "lora".
        augment: delete and swap a few words of each row, anew in each epoch ("frozen" reads each row once, unchanged).
        from_scratch: begin with random weights, to see what pre-training is worth.
        seconds: longest training; None for no limit.
    """

    epochs: int = 3
    learning_rate: float = 1e-4
    batch_size: int = 16
    seed: int = 0
    validation_share: float = 0.2
    method: Method = "full"
    rank: int = 8
    augment: bool = False
    from_scratch: bool = False
    seconds: float | None = None


@dataclass(frozen=True)
class FineTuned:
    """What came out: a plain classifier in evaluation mode, and how it went."""

    model: nn.Module
    labels: list[str]
    history: list[LossPoint]
    validation_history: list[ValidationPoint]
    validation: ValidationScores | None
    before_accuracy: float | None  # on the rows kept back, with the head still untrained
    judged: list[Judged]  # every validation row
    kept_step: int
    stopped: str  # "done", "stopped", "time"
    seconds: float
    rows: int


@dataclass
class _Run:
    """One fine-tuning while it lasts."""

    model: nn.Module
    reader: Reader
    labels: list[str]
    plan: Plan
    train: list[Example]
    kept_back: list[Example]
    head: Callable[[nn.Module, Tensor], Tensor]
    vectors: dict[int, Tensor] = field(default_factory=dict)  # "frozen": by the id of an example, [hidden]
    history: list[LossPoint] = field(default_factory=list)
    validations: list[ValidationPoint] = field(default_factory=list)
    best: dict[str, Tensor] = field(default_factory=dict)
    best_key: tuple[float, float] = (-1.0, 0.0)
    kept_step: int = 0


def fine_tune(
    base: Loaded, examples: Sequence[Example], plan: Plan, report: Report = lambda report: None
) -> FineTuned | None:
    """Train a copy of an encoder on labelled texts or pairs, cut to its window (of a pair the longer text first).

    Args:
        base: a loaded checkpoint of an encoder family; left as it is.
        examples: at least two labels among them.
        plan: how to train.
        report: called after each step.

    Returns:
        The kept model; None when `report` ended the training before its first step.
    """
    started, labels = time.perf_counter(), label_names(examples)
    train, kept_back = split(examples, plan.validation_share, plan.seed)
    model = build_classifier(base, labels, plan.seed, from_scratch=plan.from_scratch)
    reader = Reader(base.text, base.head(TOKEN_VECTORS).max_tokens)
    run = _Run(model, reader, labels, plan, train, kept_back, base.family.classifier_head)
    make_trainable(model, plan.method, plan.seed, plan.rank)
    if plan.method == "frozen":
        run.vectors = head_vectors(model, reader, [*train, *kept_back])
    before = _probabilities(run, kept_back)
    last, ended = _train(run, started, report)
    if last is None:
        return None
    _keep_best(run, last.step, last.loss)
    _restore(run)
    finish(model)
    after = _probabilities(run, kept_back)
    return FineTuned(
        model=model,
        labels=labels,
        history=run.history,
        validation_history=run.validations,
        validation=_scores(run, after) if kept_back else None,
        before_accuracy=_accuracy(run, before) if kept_back else None,
        judged=_judged(run, before, after),
        kept_step=run.kept_step,
        stopped=ended,
        seconds=time.perf_counter() - started,
        rows=len(train),
    )


def _train(run: _Run, started: float, report: Report) -> tuple[Progress | None, str]:
    plan, per_epoch = run.plan, steps_per_epoch(len(run.train), run.plan.batch_size)
    steps, ended = per_epoch * plan.epochs, "done"
    if report(TuningReport(0, steps, 0.0, time.perf_counter() - started, 0.0, None)):
        return None, "stopped"

    def on_progress(progress: Progress) -> bool:
        nonlocal ended
        run.history.append(LossPoint(progress.step, progress.loss))
        due = progress.step % per_epoch == 0 or progress.step % STEPS_BETWEEN_VALIDATIONS == 0
        point = _keep_best(run, progress.step, progress.loss) if due else None
        seconds = time.perf_counter() - started
        if report(TuningReport(progress.step, steps, progress.loss, seconds, progress.seconds_left, point)):
            ended = "stopped"
        elif plan.seconds is not None and seconds > plan.seconds:
            ended = "time"
        return ended != "done"

    groups = parameter_groups(run.model, WEIGHT_DECAY)
    # Most weights are word vectors, and a step of few rows goes over all of them: fused, once instead of many times.
    optimizer = torch.optim.AdamW(groups, lr=plan.learning_rate, fused=True)
    run.model.train()
    loop = Loop(lambda batch: _loss(run, batch), optimizer, Budget(steps=steps), on_progress=on_progress)
    return loop.run(_batches(run)), ended


def _batches(run: _Run) -> Iterator[list[Example]]:
    drawn = random.Random(run.plan.seed + 1)
    lengths = [example.length for example in run.train]
    for indices in batches(lengths, run.plan.batch_size, run.plan.seed):
        chosen = [run.train[index] for index in indices]
        if run.plan.augment and run.plan.method != "frozen":
            chosen = [augment_example(example, drawn) for example in chosen]
        yield chosen


def _loss(run: _Run, batch: Sequence[Example]) -> Tensor:
    wanted = torch.tensor([run.labels.index(example.label) for example in batch], device=_device(run))
    return nn.functional.cross_entropy(_logits(run, batch).float(), wanted)


def _logits(run: _Run, batch: Sequence[Example]) -> Tensor:
    if run.vectors:
        return run.head(run.model, torch.stack([run.vectors[id(example)] for example in batch])[:, None])
    return run.model(**run.reader.inputs(batch, _device(run))).logits


def _device(run: _Run) -> torch.device:
    return next(run.model.parameters()).device


def _probabilities(run: _Run, examples: Sequence[Example]) -> Tensor:
    """[example, label], with the model as it is now; training mode comes back afterwards."""
    training = run.model.training
    run.model.eval()
    answer = torch.zeros(len(examples), len(run.labels))
    with torch.inference_mode():
        for batch in length_sorted_batches([example.length for example in examples]):
            logits = _logits(run, [examples[index] for index in batch])
            answer[batch] = logits.float().softmax(dim=-1).cpu()
    run.model.train(training)
    return answer


def _keep_best(run: _Run, step: int, loss: float) -> ValidationPoint | None:
    """Ask the validation rows, and keep the weights if they do better; without such rows the newest are kept."""
    if run.validations and run.validations[-1].step == step:
        return None
    point, key = None, (0.0, float(step))
    if run.kept_back:
        shares = _probabilities(run, run.kept_back)
        mean_loss = float(nn.functional.nll_loss(shares.clamp(min=1e-9).log(), _wanted(run)))
        point = ValidationPoint(step, mean_loss, _accuracy(run, shares))
        key = (point.accuracy, -mean_loss)
        run.validations.append(point)
    if key > run.best_key:
        trained = ((name, weight) for name, weight in run.model.named_parameters() if weight.requires_grad)
        run.best = {name: weight.detach().clone() for name, weight in trained}
        run.best_key, run.kept_step = key, step
    return point


def _restore(run: _Run) -> None:
    with torch.no_grad():
        for name, weight in run.model.named_parameters():
            if name in run.best:
                weight.copy_(run.best[name])
    run.best = {}


def _wanted(run: _Run) -> Tensor:
    """The true labels of the rows kept back, as numbers."""
    return torch.tensor([run.labels.index(example.label) for example in run.kept_back])


def _accuracy(run: _Run, shares: Tensor) -> float:
    return float((shares.argmax(dim=-1) == _wanted(run)).float().mean())


def _scores(run: _Run, shares: Tensor) -> ValidationScores:
    true, trained_on = ([run.labels.index(example.label) for example in rows] for rows in (run.kept_back, run.train))
    return score_labels(true, shares.argmax(dim=-1).tolist(), trained_on, len(run.labels))


def _judged(run: _Run, before: Tensor, after: Tensor) -> list[Judged]:
    rows = zip(run.kept_back, before.tolist(), after.tolist(), strict=True)
    return [
        Judged(
            text=example.text,
            label=example.label,
            predicted=run.labels[max(range(len(late)), key=late.__getitem__)],
            probability=late[run.labels.index(example.label)],
            probability_before=early[run.labels.index(example.label)],
            text_pair=example.text_pair,
        )
        for example, early, late in rows
    ]
