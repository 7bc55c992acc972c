"""The small layers that learn on top of vectors that no longer change: a linear one, and one behind ELMo's mix."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from app.models.elmo.mixing import ElmoScalarMix


class LinearHead(nn.Module):
    """Logits from one vector a text: what a logistic regression learns. It begins at zero, as one does.

    Args:
        width: of the vectors.
        labels: their names in order.
    """

    def __init__(self, width: int, labels: Sequence[str]) -> None:
        super().__init__()
        self.labels = list(labels)
        self.linear = nn.Linear(width, len(self.labels))
        nn.init.zeros_(self.linear.weight)
        nn.init.zeros_(self.linear.bias)

    def forward(self, vectors: Tensor) -> Tensor:
        """[row, layer, feature], of one layer, to logits [row, label]."""
        return self.linear(vectors[:, 0])


class MixedHead(nn.Module):
    """Logits from the layers of ELMo: their mix (Peters et al. 2018, equation 1), then a linear layer.

    A text's vectors are the means over its words, layer by layer. The mix is a weighted sum, so that the mean of the
    words' mixes and the mix of these means are the same.

    Args:
        layers: how many there are.
        width: of the vectors.
        labels: their names in order.
    """

    def __init__(self, layers: int, width: int, labels: Sequence[str]) -> None:
        super().__init__()
        self.labels = list(labels)
        self.mix = ElmoScalarMix(layers)
        self.linear = nn.Linear(width, len(self.labels))

    def forward(self, vectors: Tensor) -> Tensor:
        """[row, layer, feature] to logits [row, label]."""
        everything = torch.ones(len(vectors), 1, device=vectors.device)
        mixed = self.mix([layer[:, None] for layer in vectors.unbind(1)], everything)  # [row, 1, feature]
        return self.linear(mixed[:, 0])
