"""Small layers trained on vectors that no longer change: a linear one, and one after ELMo's mix."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from app.models.elmo.mixing import ElmoScalarMix


class LinearHead(nn.Module):
    """Logits from one vector per text, as in logistic regression, and like it starting at zero.

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

    A text's vectors are the means over its words, layer by layer. As the mix is a weighted sum, mixing these means
    equals averaging the words' mixes.

    Args:
        layers: number of layers.
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
