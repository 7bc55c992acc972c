"""The matrices' optimizer: its directions are orthogonal, its AdamW equals torch's, and it can be stopped."""

from __future__ import annotations

import copy

import pytest
import torch
from torch import nn

from app.training.muon import Muon, orthogonalise


@pytest.mark.parametrize("shape", [(16, 64), (64, 16), (32, 32)])
def test_all_singular_values_come_near_one_and_the_directions_stay(shape: tuple[int, int]) -> None:
    torch.manual_seed(0)
    matrix = torch.randn(shape)
    made = orthogonalise(matrix)
    values = torch.linalg.svdvals(made)
    assert values.min() > 0.6 and values.max() < 1.3
    left, _, right = torch.linalg.svd(matrix, full_matrices=False)
    exact = left @ right
    assert torch.nn.functional.cosine_similarity(made.flatten(), exact.flatten(), dim=0) > 0.97


def test_groups_that_are_no_matrices_get_the_steps_of_adamw() -> None:
    torch.manual_seed(0)
    ours, theirs = (nn.Linear(5, 3) for _ in range(2))
    theirs.load_state_dict(ours.state_dict())
    settings = {"lr": 0.02, "betas": (0.9, 0.98), "eps": 1e-6}
    first = Muon([{"params": ours.parameters(), "weight_decay": 0.1}], **settings)
    second = torch.optim.AdamW(theirs.parameters(), weight_decay=0.1, **settings)
    for _ in range(20):
        inputs = torch.randn(8, 5)
        for model, optimizer in ((ours, first), (theirs, second)):
            optimizer.zero_grad()
            model(inputs).pow(2).mean().backward()
            optimizer.step()
    torch.testing.assert_close(ours.weight, theirs.weight)
    torch.testing.assert_close(ours.bias, theirs.bias)


def make_run() -> tuple[nn.Module, Muon]:
    """A small net whose matrices are trained by Muon."""
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(6, 12), nn.Tanh(), nn.Linear(12, 6))
    matrices = [p for p in model.parameters() if p.ndim == 2]
    rest = [p for p in model.parameters() if p.ndim < 2]
    groups = [{"params": matrices, "orthogonal": True, "weight_decay": 0.01}, {"params": rest, "lr": 1e-2}]
    return model, Muon(groups, lr=0.03)


def steps(model: nn.Module, optimizer: Muon, start: int, end: int) -> list[float]:
    """Losses of steps on one function."""
    losses = []
    for number in range(start, end):
        inputs = torch.randn(32, 6, generator=torch.Generator().manual_seed(number))
        loss = (model(inputs) - inputs.roll(1, dims=1)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_it_learns() -> None:
    losses = steps(*make_run(), 0, 150)
    assert losses[-1] < 0.2 * losses[0]


def test_a_run_that_was_stopped_goes_on_as_if_it_was_not() -> None:
    whole, optimizer = make_run()
    expected = steps(whole, optimizer, 0, 12)
    model, optimizer = make_run()
    steps(model, optimizer, 0, 5)
    kept = copy.deepcopy({"model": model.state_dict(), "optimizer": optimizer.state_dict()})
    model, optimizer = make_run()
    model.load_state_dict(kept["model"])
    optimizer.load_state_dict(kept["optimizer"])
    assert steps(model, optimizer, 5, 12) == pytest.approx(expected[5:])
