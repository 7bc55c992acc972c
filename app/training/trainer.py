"""One training loop: it gets a loss function and batches, and reports through a callback.

It knows no model, no task and no file. Pre-training and fine-tuning both run through `Loop`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

import torch
from torch import Tensor, nn

Batch = TypeVar("Batch")

# Weight of the newest loss in the reported running mean.
SMOOTHING = 0.05


@dataclass(frozen=True)
class Progress:
    """What the loop reports after each step."""

    step: int  # counted from 1
    fraction: float  # of the planned work that is done, 0..1
    fraction_before: float  # the part of it done by earlier runs
    loss: float  # running mean
    units: int  # what `count_units` counted since the start, e.g. tokens
    seconds: float  # since the start

    @property
    def units_per_second(self) -> float:
        """Throughput since the start."""
        return self.units / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float:
        """Estimated from this run's progress."""
        done_here = self.fraction - self.fraction_before
        return self.seconds * (1.0 - self.fraction) / max(done_here, 1e-9)


@dataclass(frozen=True)
class Budget:
    """When to end: after `steps` optimizer steps or `seconds` of training, whichever is given and comes first.

    A resumed run adds what it had used before.
    """

    steps: int | None = None
    seconds: float | None = None
    steps_before: int = 0
    seconds_before: float = 0.0

    def fraction(self, step: int, seconds: float) -> float:
        """Share of the budget used after `step` steps and `seconds` of this run, 0..1."""
        by_steps = (self.steps_before + step) / self.steps if self.steps else 0.0
        by_time = (self.seconds_before + seconds) / self.seconds if self.seconds else 0.0
        return min(1.0, max(by_steps, by_time))


def warmup_linear(fraction: float, warmup: float = 0.06) -> float:
    """Learning-rate factor as in BERT: up from 0 over the first `warmup` of the work, then down to 0, both linearly."""
    if fraction < warmup:
        return fraction / warmup
    return (1.0 - fraction) / (1.0 - warmup)


def parameter_groups(model: nn.Module, weight_decay: float) -> list[dict]:
    """Apply decay only to matrices, not to biases and layer norms, as in BERT's optimizer."""
    trainable = [parameter for parameter in model.parameters() if parameter.requires_grad]
    return [
        {"params": [p for p in trainable if p.ndim >= 2], "weight_decay": weight_decay},
        {"params": [p for p in trainable if p.ndim < 2], "weight_decay": 0.0},
    ]


@dataclass
class Loop(Generic[Batch]):
    """A training run.

    Attributes:
        loss_of: from a batch to a scalar loss with a graph.
        optimizer: its learning rates at creation are the peaks.
        budget: when to end.
        schedule: from the fraction done to a factor on the peak learning rate.
        count_units: what to count per batch for the throughput, e.g. tokens.
        on_progress: called after each step; returning True ends the run at once (a stop button).
        clip_norm: largest gradient norm.
        clock: seconds; `time.process_time` if others use the machine too.
    """

    loss_of: Callable[[Batch], Tensor]
    optimizer: torch.optim.Optimizer
    budget: Budget
    schedule: Callable[[float], float] = warmup_linear
    count_units: Callable[[Batch], int] = lambda batch: 1
    on_progress: Callable[[Progress], bool | None] = lambda progress: None
    clip_norm: float = 1.0
    clock: Callable[[], float] = time.perf_counter

    def run(self, batches: Iterable[Batch]) -> Progress | None:
        """Train until the budget, the batches or the callback ends it; returns the last report, if any."""
        peaks = [group["lr"] for group in self.optimizer.param_groups]
        parameters = [p for group in self.optimizer.param_groups for p in group["params"]]
        started, progress, loss_mean, units = self.clock(), None, None, 0
        fraction, remaining = self.budget.fraction(0, 0.0), iter(batches)
        # A batch is taken only if it will be trained on, so that a resumed run can continue from their count.
        while fraction < 1.0 and (batch := next(remaining, None)) is not None:
            # 1/1000 keeps the first step from being lost at a factor of exactly zero.
            factor = max(self.schedule(fraction), 1e-3)
            for group, peak in zip(self.optimizer.param_groups, peaks, strict=True):
                group["lr"] = peak * factor
            loss = self._step(batch, parameters)
            loss_mean = loss if loss_mean is None else (1 - SMOOTHING) * loss_mean + SMOOTHING * loss
            units += self.count_units(batch)
            seconds, step = self.clock() - started, progress.step + 1 if progress else 1
            fraction = self.budget.fraction(step, seconds)
            progress = Progress(step, fraction, self.budget.fraction(0, 0.0), loss_mean, units, seconds)
            if self.on_progress(progress):
                break
        for group, peak in zip(self.optimizer.param_groups, peaks, strict=True):
            group["lr"] = peak
        return progress

    def _step(self, batch: Batch, parameters: list[Tensor]) -> float:
        loss = self.loss_of(batch)
        loss.backward()
        nn.utils.clip_grad_norm_(parameters, self.clip_norm)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        return loss.item()
