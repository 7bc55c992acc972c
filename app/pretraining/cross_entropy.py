"""Cross entropy of a vocabulary head, computed in slices that fit the processor's cache.

The plain way writes logits, log-probabilities and gradients of [masked, vocab] to memory several times. Here each
slice's gradient is made at once while its logits are at hand (the idea of fused linear cross entropy, as in
Liger-Kernel, arXiv 2410.10989). Knows no model.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

ROWS = 96


class _VocabularyCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, dtype: torch.dtype) -> Tensor:
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
            grad = logits.sub_(normaliser).exp_()
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
        return *(None if grad is None else grad * upstream.to(grad.dtype) for grad in ctx.saved_tensors), None, None


def vocabulary_cross_entropy(
    hidden: Tensor, weight: Tensor, bias: Tensor, labels: Tensor, dtype: torch.dtype = torch.float32
) -> Tensor:
    """Mean cross entropy of softmax(hidden @ weight.T + bias) against the labels.

    Args:
        hidden: [row, hidden].
        weight: [vocab, hidden], the decoder's.
        bias: [vocab].
        labels: int64 [row].
        dtype: of the big products; sums are float32.
    """
    return _VocabularyCrossEntropy.apply(hidden, weight, bias, labels, dtype)
