"""Where a training run stands, and the file that keeps it: weights, optimizer, position in the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn


@dataclass
class State:
    """Where a run stands; what `state.pt` holds beside the weights."""

    maskings_done: int = 0  # whole passes over the text
    batches_done: int = 0  # of the present pass
    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0  # of training, over all runs
    plan_start: float = 0.0  # `seconds` when the present learning-rate cycle began
    plan_seconds: float = 0.0  # length of the present cycle; 0 = the last one was finished
    loss: float = 0.0
    plan_start_step: int = 0  # `steps` when the present cycle began
    plan_steps: int = 0  # length of the present cycle in steps, where it is not given in seconds
    plan_rate: float = 1.0  # the present cycle's factor on the recipe's learning rates
    cycles: list[dict[str, float]] = field(default_factory=list)  # finished ones: steps, seconds, rate
    precision: str = ""  # of the arithmetic of the latest run, e.g. bfloat16

    def begin_cycle(self, minutes: float, steps: int | None, rate: float = 1.0) -> None:
        """Plan a new learning-rate cycle, unless one was stopped half-way: that one is finished first."""
        if not self.plan_seconds and not self.plan_steps:
            self.plan_start, self.plan_start_step = self.seconds, self.steps
            self.plan_rate = rate
            self.plan_seconds, self.plan_steps = (0.0, steps) if steps else (minutes * 60, 0)

    def end_cycle(self) -> None:
        """The cycle is finished."""
        steps, seconds = self.steps - self.plan_start_step, round(self.seconds - self.plan_start)
        self.cycles.append({"steps": steps, "seconds": seconds, "rate": self.plan_rate})
        self.plan_seconds, self.plan_steps = 0.0, 0


def save_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, state: State) -> None:
    """Write the run's state; the old file stays whole until the new one is."""
    content = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "state": vars(state)}
    torch.save(content, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def load_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> State:
    """Load a run's state into model and optimizer; a new state where there is none."""
    if not path.exists():
        return State()
    content = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(content["model"])
    peaks = [group["lr"] for group in optimizer.param_groups]
    optimizer.load_state_dict(content["optimizer"])
    # The file holds the rates of the moment it was written, far down the schedule; a run starts from the peak ones.
    for group, peak in zip(optimizer.param_groups, peaks, strict=True):
        group["lr"] = peak
    return State(**content["state"])
