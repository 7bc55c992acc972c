"""The training loop: budget, schedule, stop button, and that it learns."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor, nn

from app.training.trainer import Budget, Loop, Progress, parameter_groups, warmup_linear


class Recorder:
    """A one-weight model that writes down the learning rate of every step."""

    def __init__(self, lr: float = 0.1) -> None:
        self.weight = nn.Parameter(torch.tensor([5.0]))
        self.optimizer = torch.optim.SGD([self.weight], lr=lr)
        self.rates: list[float] = []

    def loss(self, target: float) -> Tensor:
        """(weight - target) squared."""
        self.rates.append(self.optimizer.param_groups[0]["lr"])
        return ((self.weight - target) ** 2).sum()

    def loop(self, budget: Budget, **settings: object) -> Loop:
        """A loop over this model."""
        return Loop(self.loss, self.optimizer, budget, **settings)


def endless() -> Iterator[float]:
    """The same batch without end."""
    return itertools.repeat(1.0)


def test_steps_are_counted_and_the_loss_falls() -> None:
    model = Recorder()
    last = model.loop(Budget(steps=50)).run(endless())
    assert last.step == 50
    assert last.fraction == 1.0
    assert len(model.rates) == 50
    assert abs(model.weight.item() - 1.0) < 1.5


def test_the_rate_warms_up_and_falls_to_nothing() -> None:
    model = Recorder(lr=0.1)
    model.loop(Budget(steps=100)).run(endless())
    peak = model.rates.index(max(model.rates))
    assert peak == 6
    assert max(model.rates) == pytest.approx(0.1)
    assert model.rates[:peak] == sorted(model.rates[:peak])
    assert model.rates[peak:] == sorted(model.rates[peak:], reverse=True)
    assert 0 < model.rates[-1] < 0.002
    assert model.optimizer.param_groups[0]["lr"] == 0.1, "the peak rate is put back for the next cycle"


@pytest.mark.parametrize(("fraction", "factor"), [(0.0, 0.0), (0.03, 0.5), (0.06, 1.0), (0.53, 0.5), (1.0, 0.0)])
def test_schedule(fraction: float, factor: float) -> None:
    assert warmup_linear(fraction) == pytest.approx(factor)


def test_a_run_that_goes_on_takes_up_the_schedule() -> None:
    whole, parts = Recorder(), Recorder()
    whole.loop(Budget(steps=20)).run(endless())
    parts.loop(Budget(steps=20), on_progress=lambda progress: progress.step == 8).run(endless())
    parts.loop(Budget(steps=20, steps_before=8)).run(endless())
    assert parts.rates == pytest.approx(whole.rates)
    assert parts.weight.item() == pytest.approx(whole.weight.item())


def test_seconds_of_the_given_clock_end_a_run() -> None:
    clock = itertools.count(0.0, 1.0)
    reports: list[Progress] = []
    last = (
        Recorder()
        .loop(Budget(seconds=10.0, seconds_before=4.0), on_progress=reports.append, clock=lambda: next(clock))
        .run(endless())
    )
    assert last.step == 6, "one second a step, four of the ten seconds were used before"
    assert reports[0].fraction_before == pytest.approx(0.4)
    assert reports[2].seconds_left == pytest.approx(3.0)


def test_the_callback_stops_a_run() -> None:
    model = Recorder()
    last = model.loop(Budget(steps=50), on_progress=lambda progress: progress.step == 3).run(endless())
    assert (last.step, len(model.rates)) == (3, 3)
    assert model.optimizer.param_groups[0]["lr"] == 0.1


def test_no_batch_is_taken_that_is_not_trained_on() -> None:
    batches = iter([1.0] * 10)
    Recorder().loop(Budget(steps=4)).run(batches)
    assert len(list(batches)) == 6


def test_a_used_budget_trains_nothing() -> None:
    model = Recorder()
    assert model.loop(Budget(steps=5, steps_before=5)).run(endless()) is None
    assert model.rates == []


def test_the_end_of_the_batches_ends_a_run() -> None:
    assert Recorder().loop(Budget(steps=50)).run([1.0, 1.0]).step == 2


def test_throughput_counts_what_it_is_told_to() -> None:
    last = Recorder().loop(Budget(steps=4), count_units=lambda batch: 7).run(endless())
    assert last.units == 28
    assert last.units_per_second > 0


def test_gradients_are_clipped() -> None:
    model = Recorder(lr=1.0)
    model.loop(Budget(steps=1), schedule=lambda fraction: 1.0, clip_norm=0.5).run([-1000.0])
    assert model.weight.item() == pytest.approx(4.5)


def test_only_matrices_that_learn_decay() -> None:
    model = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 2))
    model[2].weight.requires_grad_(False)
    decaying, others = parameter_groups(model, 0.01)
    assert (decaying["weight_decay"], others["weight_decay"]) == (0.01, 0.0)
    assert [p.shape for p in decaying["params"]] == [(4, 3)]
    assert len(others["params"]) == 4
