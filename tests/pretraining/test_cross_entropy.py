"""The sliced cross entropy equals the plain one, including gradients."""

from __future__ import annotations

import pytest
import torch

from app.pretraining.cross_entropy import ROWS, vocabulary_cross_entropy


@pytest.mark.parametrize("rows", [1, ROWS, 2 * ROWS + 5])
@pytest.mark.parametrize("frozen", [False, True])
def test_equals_the_plain_loss_and_its_gradients(rows: int, frozen: bool) -> None:
    torch.manual_seed(0)
    hidden, bias = torch.randn(rows, 12, requires_grad=True), torch.randn(40, requires_grad=True)
    weight = torch.randn(40, 12, requires_grad=not frozen)
    labels = torch.randint(0, 40, (rows,))
    learnt = [hidden, bias] + ([] if frozen else [weight])
    ours = vocabulary_cross_entropy(hidden, weight, bias, labels)
    plain = torch.nn.functional.cross_entropy(hidden @ weight.T + bias, labels)
    torch.testing.assert_close(ours, plain)
    for own, expected in zip(
        torch.autograd.grad(3 * ours, learnt), torch.autograd.grad(3 * plain, learnt), strict=True
    ):
        torch.testing.assert_close(own, expected, atol=1e-5, rtol=1e-4)


def test_what_is_unlikely_is_pushed_down_as_autograd_does_it() -> None:
    torch.manual_seed(0)
    hidden, weight = torch.randn(ROWS + 9, 12, requires_grad=True), torch.randn(40, 12, requires_grad=True)
    bias, labels = torch.randn(40, requires_grad=True), torch.randint(0, 40, (ROWS + 9,))
    learnt = [hidden, weight, bias]
    unlikely = torch.randint(-1, 40, (ROWS + 9, 3))
    unlikely[unlikely == labels[:, None]] = -1
    small = 0.1  # so that nothing is all but certain
    ours = vocabulary_cross_entropy(small * hidden, weight, bias, labels, unlikely=unlikely)
    logits = small * hidden @ weight.T + bias
    likely = logits.softmax(-1).gather(1, unlikely.clamp(min=0)) * (unlikely >= 0)
    plain = torch.nn.functional.cross_entropy(logits, labels) - torch.log1p(-likely).sum() / len(labels)
    torch.testing.assert_close(ours, plain)
    for own, expected in zip(torch.autograd.grad(ours, learnt), torch.autograd.grad(plain, learnt), strict=True):
        torch.testing.assert_close(own, expected, atol=1e-5, rtol=1e-4)


def test_bfloat16_products_come_close() -> None:
    torch.manual_seed(0)
    hidden, weight, bias = torch.randn(50, 12), torch.randn(40, 12), torch.randn(40)
    labels = torch.randint(0, 40, (50,))
    exact = vocabulary_cross_entropy(hidden, weight, bias, labels)
    torch.testing.assert_close(
        vocabulary_cross_entropy(hidden, weight, bias, labels, torch.bfloat16), exact, atol=0.05, rtol=0
    )
