"""The scalar mix: one vector per word from all layers, as learnt by a task (Peters et al. 2018, equation 1)."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

# Added to the variance, as published.
EPSILON = 1e-13


class ElmoScalarMix(nn.Module):
    """gamma * sum over layers k of softmax(weights)_k * layer_k.

    Starts as the plain mean of the layers. To train a task, the published recipe freezes the language model, trains
    `weights` and `gamma`, and adds 0.001 times the squared weights to the loss.

    Args:
        num_layers: number of layers to mix, including layer 0.
        layer_norm: whether to scale every layer to mean 0 and variance 1 first.
    """

    def __init__(self, num_layers: int = 3, layer_norm: bool = False) -> None:
        super().__init__()
        self.layer_norm = layer_norm
        self.weights = nn.Parameter(torch.zeros(num_layers))
        self.gamma = nn.Parameter(torch.ones(()))

    def forward(self, hidden_states: Sequence[Tensor], attention_mask: Tensor) -> Tensor:
        """Mixes the layers.

        Args:
            hidden_states: layers [sentence, word, hidden].
            attention_mask: [sentence, word], 1 for real words. The published code includes the sentences' marks when it
                normalises: pass `keep_boundaries=True` to the model for the same numbers.

        Returns:
            [sentence, word, hidden], 0 at the padding.

        Raises:
            ValueError: the number of layers is not this mix's.
        """
        if len(hidden_states) != len(self.weights):
            raise ValueError(f"this mix takes {len(self.weights)} layers, got {len(hidden_states)}")
        mask = attention_mask[:, :, None].to(hidden_states[0].dtype)
        layers = [normalize(layer, mask) if self.layer_norm else layer for layer in hidden_states]
        shares = self.weights.softmax(dim=0)
        return self.gamma * sum(share * layer for share, layer in zip(shares, layers, strict=True)) * mask


def normalize(layer: Tensor, mask: Tensor) -> Tensor:
    """Subtracts one mean and divides by one deviation, both taken over all real words and features of the batch."""
    count = mask.sum() * layer.size(2)
    mean = (layer * mask).sum() / count
    variance = ((layer - mean) * mask).square().sum() / count
    return (layer - mean) / (variance + EPSILON).sqrt()
