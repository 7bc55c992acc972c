"""Hidden states of every Transformer family: a family only says where its base model is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.adapters.batching import key_of_ids, length_sorted_batches, pad
from app.engine.text.text_tokenizer import Encoded

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


@dataclass(frozen=True)
class Asked:
    """A text and the layers whose vectors are wanted."""

    row: Encoded
    layers: tuple[int, ...]


class TransformerEncoder(TransformerAdapter, ABC):
    """Answers `TokenEncoder`.

    Attributes:
        takes_segments: whether the base model is given `token_type_ids`.
        first_token_sums_up: whether the first token stands for the whole text ([CLS]); in GPT-2 it sees only itself.
    """

    takes_segments: bool = True
    first_token_sums_up: bool = True

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self.layers: int = loaded.model.config.num_hidden_layers
        self.width: int = loaded.model.config.hidden_size
        self._batcher = loaded.batcher(
            "vectors",
            self._run,
            lambda asked: len(asked.row.input_ids),
            lambda asked: (key_of_ids(asked.row), asked.layers),
        )

    @property
    @abstractmethod
    def base(self) -> nn.Module:
        """The Transformer without its heads; of a classifier, too."""

    def encode(self, text: str, second: str | None = None) -> Encoded:
        """See `app.engine.base.TokenEncoder`."""
        return self.text.encode(text, second)

    def hidden_states(self, rows: Sequence[Encoded], layers: Sequence[int]) -> Iterator[tuple[int, np.ndarray]]:
        """See `app.engine.base.TokenEncoder`."""
        for had, batch in enumerate(length_sorted_batches([len(row.input_ids) for row in rows])):
            asked = [Asked(rows[index], tuple(layers)) for index in batch]
            yield from zip(batch, self._batcher.answers(asked, had), strict=True)

    def _run(self, asked: list[Asked]) -> list[np.ndarray]:
        wanted = sorted({layer for one in asked for layer in one.layers})
        with torch.inference_mode():
            inputs = self._inputs([one.row for one in asked])
            states = self.base(**inputs, output_hidden_states=True).hidden_states
            kept = self.loaded.to_numpy(torch.stack([states[layer] for layer in wanted], dim=1))
        # kept: [row, layer, token, hidden]
        return [
            made[[wanted.index(layer) for layer in one.layers], : len(one.row.input_ids)]
            for one, made in zip(asked, kept, strict=True)
        ]

    def _inputs(self, rows: list[Encoded]) -> dict[str, Tensor]:
        device = self.loaded.model.device
        inputs = {
            "input_ids": torch.tensor(pad([row.input_ids for row in rows], self.text.pad_id), device=device),
            "attention_mask": torch.tensor(pad([[1] * len(row.input_ids) for row in rows], 0), device=device),
        }
        if self.takes_segments:
            inputs["token_type_ids"] = torch.tensor(pad([row.token_type_ids for row in rows], 0), device=device)
        return inputs
