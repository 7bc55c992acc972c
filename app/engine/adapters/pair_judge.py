"""Judging sentence pairs for every encoder family: a family only says where its encoder and its pair head are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.adapters.batching import key_of_ids, length_sorted_batches, pad
from app.engine.text.text_tokenizer import EncodedPair

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


class EncoderPairJudge(TransformerAdapter, ABC):
    """Answers `PairJudge` with an encoder that pools its first token and a head of two classes."""

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self._batcher = loaded.batcher("pairs", self._run, lambda row: len(row.input_ids), key_of_ids)

    @property
    @abstractmethod
    def encoder(self) -> nn.Module:
        """The model without its heads."""

    @property
    @abstractmethod
    def pair_head(self) -> nn.Module:
        """What gives logits from the pooled token."""

    def pair_logits(self, rows: list[EncodedPair]) -> np.ndarray:
        """See `app.engine.base.PairJudge`."""
        logits = np.empty((len(rows), 2), dtype=np.float32)
        for had, batch in enumerate(length_sorted_batches([len(row.input_ids) for row in rows])):
            logits[batch] = self._batcher.answers([rows[index] for index in batch], had)
        return logits

    def _run(self, rows: list[EncodedPair]) -> list[np.ndarray]:
        with torch.inference_mode():
            # By name: the second positional argument would be taken for the attention mask.
            pooled = self.encoder(
                input_ids=self._tensor([row.input_ids for row in rows], self.text.pad_id),
                attention_mask=self._tensor([[1] * len(row.input_ids) for row in rows], 0),
                token_type_ids=self._tensor([row.token_type_ids for row in rows], 0),
            ).pooler_output  # [row, hidden]
            return list(self.loaded.to_numpy(self.pair_head(pooled)))

    def _tensor(self, rows: list[list[int]], filler: int) -> Tensor:
        return torch.tensor(pad(rows, filler), device=self.loaded.model.device)
