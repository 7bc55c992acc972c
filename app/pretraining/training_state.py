"""Where a training run stands, and the file that keeps it: weights, optimizer, position in the text."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import nn


@dataclass
class State:
    """Where a run stands: what `state.pt` holds besides the weights."""

    maskings_done: int = 0  # whole passes over the text
    batches_done: int = 0  # of the current pass
    steps: int = 0
    tokens: int = 0
    seconds: float = 0.0  # of training, over all runs
    plan_start: float = 0.0  # `seconds` when the current learning-rate cycle began
    plan_seconds: float = 0.0  # length of the current cycle; 0 = the last one is finished
    loss: float = 0.0
    plan_start_step: int = 0  # `steps` when the current cycle began
    plan_steps: int = 0  # length of the current cycle in steps, if it is not given in seconds
    plan_rate: float = 1.0  # the current cycle's factor on the recipe's learning rates
    cycles: list[dict[str, float]] = field(default_factory=list)  # finished cycles: steps, seconds, rate
    precision: str = ""  # of the latest run's arithmetic, e.g. bfloat16

    def begin_cycle(self, minutes: float, steps: int | None, rate: float = 1.0) -> None:
        """Plan a new learning-rate cycle, unless a stopped one has to be finished first."""
        if not self.plan_seconds and not self.plan_steps:
            self.plan_start, self.plan_start_step = self.seconds, self.steps
            self.plan_rate = rate
            self.plan_seconds, self.plan_steps = (0.0, steps) if steps else (minutes * 60, 0)

    def end_cycle(self) -> None:
        """Record that the cycle is finished."""
        steps, seconds = self.steps - self.plan_start_step, round(self.seconds - self.plan_start)
        self.cycles.append({"steps": steps, "seconds": seconds, "rate": self.plan_rate})
        self.plan_seconds, self.plan_steps = 0.0, 0


def save_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer, state: State) -> None:
    """Write the run's state; the old file stays until the new one is complete."""
    content = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "state": vars(state)}
    torch.save(content, path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def load_state(path: Path, model: nn.Module, optimizer: torch.optim.Optimizer) -> State:
    """Load a run's state into model and optimizer; a new state if there is none."""
    if not path.exists():
        return State()
    content = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(content["model"])
    peaks = [group["lr"] for group in optimizer.param_groups]
    optimizer.load_state_dict(content["optimizer"])
    # The file holds the rates at the time of writing, far down the schedule; a run starts from the peak rates.
    for group, peak in zip(optimizer.param_groups, peaks, strict=True):
        group["lr"] = peak
    return State(**content["state"])
