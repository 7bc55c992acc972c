"""Looking inside a Transformer: its attention weights, one head's arithmetic, its position vectors.

The same for every family: one only says where its base model, its projections and its position table are. Attention
weights exist only in transformers' "eager" implementation; checkpoints are loaded with the fast one and switched for
one call, under the lock that every run of the model takes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.base import HeadVectors
from app.engine.text.text_tokenizer import Encoded

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded

# Queries, keys and values, each [token, heads * size].
Projected = tuple[Tensor, Tensor, Tensor]


class TransformerInside(TransformerAdapter, ABC):
    """Answers `Attentive`.

    Attributes:
        takes_segments: whether the base model is given `token_type_ids`.
        causal: whether a token sees only those before it.
    """

    takes_segments: bool = True
    causal: bool = False

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self.layers: int = loaded.model.config.num_hidden_layers
        self.heads: int = loaded.model.config.num_attention_heads

    @property
    @abstractmethod
    def base(self) -> nn.Module:
        """The Transformer without its heads."""

    @property
    @abstractmethod
    def position_table(self) -> Tensor:
        """The learned position vectors [position, dimension], reserved ones included."""

    @abstractmethod
    def projections(self, layer: int, given: Tensor) -> Projected:
        """Queries, keys and values of a layer, from its input [token, hidden]."""

    def attentions(self, encoded: Encoded) -> np.ndarray:
        """See `app.engine.base.Attentive`."""
        with self.loaded.lock, torch.inference_mode(), eager(self.loaded.model):
            output = self.base(**self._inputs(encoded), output_attentions=True)
            return np.stack([self.loaded.to_numpy(weights[0]) for weights in output.attentions])

    def head_vectors(self, encoded: Encoded, layer: int, head: int) -> HeadVectors:
        """See `app.engine.base.Attentive`."""
        with self.loaded.lock, torch.inference_mode():
            output = self.base(**self._inputs(encoded), output_hidden_states=True)
            given = output.hidden_states[layer][0]  # [token, hidden]
            split = [
                self.loaded.to_numpy(projected.unflatten(-1, (self.heads, -1))[:, head])  # [token, size]
                for projected in self.projections(layer, given)
            ]
        return HeadVectors(*split)

    def position_vectors(self) -> np.ndarray:
        """See `app.engine.base.Attentive`."""
        with torch.inference_mode():
            return self.loaded.to_numpy(self.position_table[self.reserved_positions :])

    def _inputs(self, encoded: Encoded) -> dict[str, Tensor]:
        device = self.loaded.model.device
        inputs = {"input_ids": torch.tensor([encoded.input_ids], device=device)}
        if self.takes_segments:
            inputs["token_type_ids"] = torch.tensor([encoded.token_type_ids], device=device)
        return inputs


@contextmanager
def eager(model: nn.Module) -> Iterator[None]:
    """The model with the implementation that keeps its attention weights; the fast one is back afterwards."""
    usual = model.config._attn_implementation
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(usual)


def of_three_modules(attention: nn.Module, given: Tensor) -> Projected:
    """The projections of BERT and its descendants: one module each."""
    return attention.query(given), attention.key(given), attention.value(given)
