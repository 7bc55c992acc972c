"""Masked language modelling for every encoder family: a family only says where its encoder and its head are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.adapters.batching import length_sorted_batches, pad
from app.engine.base import MaskedRow

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


class EncoderMaskedLM(TransformerAdapter, ABC):
    """Answers `MaskedLM` with an encoder and a vocabulary head."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self._batcher = loaded.batcher("masked words", self._run, lambda row: len(row.input_ids), _key)

    @property
    @abstractmethod
    def encoder(self) -> nn.Module:
        """The model without its heads."""

    @property
    @abstractmethod
    def vocabulary_head(self) -> nn.Module:
        """What gives logits from hidden states."""

    def masked_log_probabilities(self, rows: list[MaskedRow]) -> Iterator[np.ndarray]:
        """See `app.engine.base.MaskedLM`."""
        answers: dict[int, np.ndarray] = {}
        following = 0
        for had, batch in enumerate(length_sorted_batches([len(row.input_ids) for row in rows])):
            answers.update(zip(batch, self._batcher.answers([rows[index] for index in batch], had), strict=True))
            while following in answers:
                yield answers.pop(following)
                following += 1

    def layer_log_probabilities(self, row: MaskedRow) -> Iterator[np.ndarray]:
        """See `app.engine.base.Layered`."""
        with self.loaded.lock, torch.inference_mode():
            output = self.encoder(
                input_ids=self._tensor([row.input_ids], 0),
                token_type_ids=self._tensor([row.token_type_ids], 0),
                output_hidden_states=True,
            )
        for hidden in reversed(output.hidden_states):  # [1, token, hidden]
            with self.loaded.lock, torch.inference_mode():
                logits = self.vocabulary_head(hidden[0, row.positions])  # [position, vocabulary]
                log_probabilities = self.loaded.to_numpy(logits.float().log_softmax(dim=-1))
            yield log_probabilities

    def _run(self, rows: list[MaskedRow]) -> list[np.ndarray]:
        with torch.inference_mode():
            hidden = self.encoder(
                input_ids=self._tensor([row.input_ids for row in rows], self.text.pad_id),
                attention_mask=self._tensor([[1] * len(row.input_ids) for row in rows], 0),
                token_type_ids=self._tensor([row.token_type_ids for row in rows], 0),
            ).last_hidden_state  # [row, token, hidden]
            row_index = [index for index, row in enumerate(rows) for _ in row.positions]
            positions = [position for row in rows for position in row.positions]
            logits = self.vocabulary_head(hidden[row_index, positions])  # [position, vocabulary]
            log_probabilities = self.loaded.to_numpy(logits.float().log_softmax(dim=-1))
        ends = np.cumsum([len(row.positions) for row in rows])[:-1]
        return np.split(log_probabilities, ends)

    def _tensor(self, rows: list[list[int]], filler: int) -> Tensor:
        return torch.tensor(pad(rows, filler), device=self.loaded.model.device)


def _key(row: MaskedRow) -> tuple[tuple[int, ...], ...]:
    return tuple(row.input_ids), tuple(row.token_type_ids), tuple(row.positions)
