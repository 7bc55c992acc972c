"""A label, or the begin and end of an answer, at each token: transformers' own classes for every encoder family."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from app.engine.adapters.adapter import TransformerAdapter
from app.engine.adapters.batching import key_of_ids, length_sorted_batches, pad
from app.engine.adapters.classifier import label_names
from app.engine.text.text_tokenizer import Encoded

if TYPE_CHECKING:
    from app.engine.runtime.loaded import Loaded


class _TokenHead(TransformerAdapter, ABC):
    """What both have: rows in, an array for each with one column of numbers a token."""

    kind: str  # of its batches

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self._batcher = loaded.batcher(self.kind, self._run, lambda row: len(row.input_ids), key_of_ids)

    @abstractmethod
    def _logits(self, inputs: dict[str, Tensor]) -> Tensor:
        """[row, token, output]."""

    def _answers(self, rows: Sequence[Encoded]) -> Iterator[tuple[int, np.ndarray]]:
        for had, batch in enumerate(length_sorted_batches([len(row.input_ids) for row in rows])):
            answers = self._batcher.answers([rows[index] for index in batch], had)
            yield from zip(batch, answers, strict=True)

    def _run(self, rows: list[Encoded]) -> list[np.ndarray]:
        device = self.loaded.model.device
        columns = {
            "input_ids": pad([row.input_ids for row in rows], self.text.pad_id),
            "attention_mask": pad([[1] * len(row.input_ids) for row in rows], 0),
            "token_type_ids": pad([row.token_type_ids for row in rows], 0),
        }
        with torch.inference_mode():
            inputs = {name: torch.tensor(column, device=device) for name, column in columns.items()}
            made = self.loaded.to_numpy(self._logits(inputs))
        return [one[: len(row.input_ids)] for one, row in zip(made, rows, strict=True)]


class EncoderTagger(_TokenHead):
    """Answers `Tagger`."""

    kind = "tags"

    def __init__(self, loaded: Loaded) -> None:
        super().__init__(loaded)
        self.labels: list[str] = label_names(loaded.model.config.id2label)

    def _logits(self, inputs: dict[str, Tensor]) -> Tensor:
        return self.quick(**inputs).logits

    def tag_logits(self, rows: Sequence[Encoded]) -> Iterator[tuple[int, np.ndarray]]:
        """See `app.engine.base.Tagger`."""
        return self._answers(rows)


class EncoderSpanFinder(_TokenHead):
    """Answers `SpanFinder`."""

    kind = "spans"

    def _logits(self, inputs: dict[str, Tensor]) -> Tensor:
        made = self.quick(**inputs)
        return torch.stack([made.start_logits, made.end_logits], dim=-1)

    def span_logits(self, rows: Sequence[Encoded]) -> Iterator[tuple[int, np.ndarray]]:
        """See `app.engine.base.SpanFinder`."""
        return ((index, made.T) for index, made in self._answers(rows))
