"""Cross entropy of a vocabulary head, computed in slices that fit the processor's cache.

The usual way writes logits, log-probabilities and gradients of [masked, vocab] to memory several times. Here each
slice's gradient is computed while its logits are at hand (the idea of fused linear cross entropy, as in Liger-Kernel,
arXiv 2410.10989). Knows no model.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

ROWS = 96
# Bounds the gradient for a piece that is all but certain.
LEAST_REST = 0.1


class _VocabularyCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor,
        labels: Tensor,
        dtype: torch.dtype,
        unlikely: Tensor | None,
    ) -> Tensor:
        """Mean loss over the rows; the gradients are kept for `backward`."""
        count, table = len(labels), weight.to(dtype)
        total = hidden.new_zeros((), dtype=torch.float32)
        hidden_grad = torch.empty_like(hidden, dtype=torch.float32)
        bias_grad = torch.zeros_like(bias, dtype=torch.float32)
        weight_grad = torch.zeros_like(weight, dtype=torch.float32) if weight.requires_grad else None
        for at in range(0, count, ROWS):
            rows, own = hidden[at : at + ROWS].to(dtype), labels[at : at + ROWS, None]
            logits = torch.nn.functional.linear(rows, table).float().add_(bias)  # [rows, vocab]
            normaliser = logits.logsumexp(dim=-1, keepdim=True)
            total += (normaliser - logits.gather(1, own)).sum()
            grad = logits.sub_(normaliser).exp_()  # the probabilities
            if unlikely is not None:
                total += _push_down(grad, unlikely[at : at + ROWS])
            grad.scatter_add_(1, own, torch.full_like(normaliser, -1.0)).div_(count)
            bias_grad += grad.sum(dim=0)
            grad = grad.to(dtype)
            hidden_grad[at : at + ROWS] = grad @ table
            if weight_grad is not None:
                weight_grad += grad.T @ rows
        ctx.save_for_backward(hidden_grad.to(hidden.dtype), weight_grad, bias_grad)
        return total / count

    @staticmethod
    def backward(ctx: Any, upstream: Tensor) -> tuple[Tensor | None, ...]:
        """Scale what `forward` kept."""
        grads = [None if grad is None else grad * upstream.to(grad.dtype) for grad in ctx.saved_tensors]
        return *grads, None, None, None


def _push_down(probabilities: Tensor, ids: Tensor) -> Tensor:
    """The sum of -log(1 - p) over ids; adds its gradient with respect to the logits to the probabilities in place.

    For logit i the gradient is the sum over ids j of r_j (1[i = j] - p_i), with r_j = p_j / (1 - p_j).
    """
    meant = ids >= 0
    likely = probabilities.gather(1, ids.clamp(min=0)) * meant
    rest = (1 - likely).clamp(min=LEAST_REST)
    pull = likely / rest
    probabilities.mul_(1 - pull.sum(dim=1, keepdim=True)).scatter_add_(1, ids.clamp(min=0), pull)
    return -rest.log().sum()


def vocabulary_cross_entropy(
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor,
    labels: Tensor,
    dtype: torch.dtype = torch.float32,
    unlikely: Tensor | None = None,
) -> Tensor:
    """Mean cross entropy of softmax(hidden @ weight.T + bias) against the labels.

    `unlikely` adds the unlikelihood loss of those ids (Welleck et al. 2019, arXiv 1908.04319).

    Args:
        hidden: [row, hidden].
        weight: [vocab, hidden], the decoder's weight.
        bias: [vocab].
        labels: int64 [row].
        dtype: of the large products; sums are float32.
        unlikely: int64 [row, id], ids that each row should not answer with, -1 for none.
    """
    return _VocabularyCrossEntropy.apply(hidden, weight, bias, labels, dtype, unlikely)
