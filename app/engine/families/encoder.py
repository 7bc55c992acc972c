"""Hidden states of every Transformer family: a family only says where its base model is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.families.batching import length_sorted_batches, pad
from app.engine.text.text_tokenizer import Encoded

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


class TransformerEncoder:
    """Answers `TokenEncoder`.

    Attributes:
        base: from the model to its Transformer; also from a classifier of the same family.
        reserved_positions: rows of the position table that no token may use (RoBERTa's first two).
        takes_segments: whether the base model is given `token_type_ids`.
        first_token_sums_up: whether the first token stands for the whole text ([CLS]); in GPT-2 it sees only itself.
    """

    base: ClassVar[Callable[[nn.Module], nn.Module]]
    reserved_positions: ClassVar[int] = 0
    takes_segments: ClassVar[bool] = True
    first_token_sums_up: ClassVar[bool] = True

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint, self.text = loaded, loaded.checkpoint, loaded.text
        self.layers: int = loaded.model.config.num_hidden_layers
        self.max_tokens: int = loaded.model.config.max_position_embeddings - self.reserved_positions

    def encode(self, text: str, second: str | None = None) -> Encoded:
        """See `app.engine.base.TokenEncoder`."""
        return self.text.encode(text, second)

    def hidden_states(self, rows: Sequence[Encoded], layers: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
        """See `app.engine.base.TokenEncoder`."""
        for batch in length_sorted_batches([len(row.input_ids) for row in rows]):
            chosen = [rows[index] for index in batch]
            with self.loaded.lock, torch.inference_mode():
                states = type(self).base(self.loaded.model)(**self._inputs(chosen), output_hidden_states=True)
                # [row, layer, token, hidden]
                kept = self.loaded.to_numpy(torch.stack([states.hidden_states[layer] for layer in layers], dim=1))
            for index, row, made in zip(batch, chosen, kept, strict=True):
                yield index, made[:, : len(row.input_ids)]

    def _inputs(self, rows: list[Encoded]) -> dict[str, Tensor]:
        device = self.loaded.model.device
        inputs = {
            "input_ids": torch.tensor(pad([row.input_ids for row in rows], self.text.pad_id), device=device),
            "attention_mask": torch.tensor(pad([[1] * len(row.input_ids) for row in rows], 0), device=device),
        }
        if self.takes_segments:
            inputs["token_type_ids"] = torch.tensor(pad([row.token_type_ids for row in rows], 0), device=device)
        return inputs
