"""Looking inside a Transformer: its attention weights, one head's arithmetic, its position vectors.

The same for every family: one only says where its base model, its projections and its position table are. Attention
weights exist only in transformers' "eager" implementation; checkpoints are loaded with the fast one and switched for
one call, under the lock that every run of the model takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.base import HeadVectors
from app.engine.text.text_tokenizer import Encoded

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded

# Queries, keys and values [token, heads * size], from what a layer is given [token, hidden].
Projections = Callable[[nn.Module, int, Tensor], tuple[Tensor, Tensor, Tensor]]


class TransformerInside:
    """Answers `Attentive`.

    Attributes:
        base: from the model to its Transformer.
        projections: the queries, keys and values of a layer.
        position_table: from the model to its learned position vectors.
        reserved_positions: rows of the position table that no token may use (RoBERTa's first two).
        takes_segments: whether the base model is given `token_type_ids`.
        causal: whether a token sees only those before it.
    """

    base: ClassVar[Callable[[nn.Module], nn.Module]]
    projections: ClassVar[Projections]
    position_table: ClassVar[Callable[[nn.Module], Tensor]]
    reserved_positions: ClassVar[int] = 0
    takes_segments: ClassVar[bool] = True
    causal: ClassVar[bool] = False

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint, self.text = loaded, loaded.checkpoint, loaded.text
        self.layers: int = loaded.model.config.num_hidden_layers
        self.heads: int = loaded.model.config.num_attention_heads
        self.max_tokens: int = loaded.model.config.max_position_embeddings - self.reserved_positions

    def attentions(self, encoded: Encoded) -> np.ndarray:
        """See `app.engine.base.Attentive`."""
        with self.loaded.lock, torch.inference_mode(), eager(self.loaded.model):
            output = type(self).base(self.loaded.model)(**self._inputs(encoded), output_attentions=True)
            return np.stack([self.loaded.to_numpy(weights[0]) for weights in output.attentions])

    def head_vectors(self, encoded: Encoded, layer: int, head: int) -> HeadVectors:
        """See `app.engine.base.Attentive`."""
        model = self.loaded.model
        with self.loaded.lock, torch.inference_mode():
            output = type(self).base(model)(**self._inputs(encoded), output_hidden_states=True)
            given = output.hidden_states[layer][0]  # [token, hidden]
            split = [
                self.loaded.to_numpy(projected.unflatten(-1, (self.heads, -1))[:, head])  # [token, size]
                for projected in type(self).projections(model, layer, given)
            ]
        return HeadVectors(*split)

    def position_vectors(self) -> np.ndarray:
        """See `app.engine.base.Attentive`."""
        with torch.inference_mode():
            return self.loaded.to_numpy(type(self).position_table(self.loaded.model)[self.reserved_positions :])

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


def of_three_modules(attention: nn.Module, given: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The projections of BERT and its descendants: one module each."""
    return attention.query(given), attention.key(given), attention.value(given)
