"""Judging sentence pairs for every encoder family: a family only says where its encoder and its pair head are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import torch
from torch import Tensor, nn

from app.engine.families.batching import key_of_ids, length_sorted_batches, pad
from app.engine.text.text_tokenizer import EncodedPair

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


class EncoderPairJudge:
    """Answers `PairJudge` with an encoder that pools its first token and a head of two classes.

    Attributes:
        encoder: from the model to its encoder.
        pair_head: from the model to the module that gives logits from the pooled token.
    """

    encoder: ClassVar[Callable[[nn.Module], nn.Module]]
    pair_head: ClassVar[Callable[[nn.Module], nn.Module]]

    def __init__(self, loaded: Loaded) -> None:
        self.loaded, self.checkpoint, self.text = loaded, loaded.checkpoint, loaded.text
        self.max_tokens: int = loaded.model.config.max_position_embeddings
        self._batcher = loaded.batcher("pairs", self._run, lambda row: len(row.input_ids), key_of_ids)

    def pair_logits(self, rows: list[EncodedPair]) -> np.ndarray:
        """See `app.engine.base.PairJudge`."""
        logits = np.empty((len(rows), 2), dtype=np.float32)
        for had, batch in enumerate(length_sorted_batches([len(row.input_ids) for row in rows])):
            logits[batch] = self._batcher.answers([rows[index] for index in batch], had)
        return logits

    def _run(self, rows: list[EncodedPair]) -> np.ndarray:
        model = self.loaded.model
        with torch.inference_mode():
            # By name: the second positional argument would be taken for the attention mask.
            pooled = (
                type(self)
                .encoder(model)(
                    input_ids=self._tensor([row.input_ids for row in rows], self.text.pad_id),
                    attention_mask=self._tensor([[1] * len(row.input_ids) for row in rows], 0),
                    token_type_ids=self._tensor([row.token_type_ids for row in rows], 0),
                )
                .pooler_output
            )  # [row, hidden]
            return self.loaded.to_numpy(type(self).pair_head(model)(pooled))

    def _tensor(self, rows: list[list[int]], filler: int) -> Tensor:
        return torch.tensor(pad(rows, filler), device=self.loaded.model.device)
