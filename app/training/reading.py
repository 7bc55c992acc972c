"""Turns labelled rows (single texts or pairs) into the arrays that an encoder reads."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from app.engine.adapters.batching import pad
from app.engine.runtime.loaded import Loaded
from app.engine.text.text_tokenizer import EncodedPair, TextTokenizer
from app.registry.checkpoint import TOKEN_VECTORS
from app.training.labelled import Example


@dataclass(frozen=True)
class Reader:
    """Reads rows; pairs as one sequence with both segments marked.

    Attributes:
        text: the encoder's tokenizer.
        limit: tokens that the encoder takes; longer rows are cut, in pairs the longer text first.
    """

    text: TextTokenizer
    limit: int

    def rows(self, examples: Sequence[Example]) -> list[EncodedPair]:
        """Each row, cut to the limit."""
        return [self.text.fit(example.text, example.text_pair, self.limit)[0] for example in examples]

    def inputs(self, examples: Sequence[Example], device: torch.device) -> dict[str, Tensor]:
        """Rows as a padded batch."""
        return self.batch(self.rows(examples), device)

    def batch(self, rows: Sequence[EncodedPair], device: torch.device) -> dict[str, Tensor]:
        """Encoded rows as a padded batch, each array [row, token]."""
        columns = {
            "input_ids": pad([row.input_ids for row in rows], self.text.pad_id),
            "attention_mask": pad([[1] * len(row.input_ids) for row in rows], 0),
            "token_type_ids": pad([row.token_type_ids for row in rows], 0),
        }
        return {name: torch.tensor(column, device=device) for name, column in columns.items()}


def longest(base: Loaded) -> int:
    """The tokens a Transformer takes, including those that its tokenizer adds."""
    if TOKEN_VECTORS in base.heads:
        return base.head(TOKEN_VECTORS).max_tokens
    return base.model.config.max_position_embeddings


def inputs_of(texts: Sequence[str], text: TextTokenizer, device: torch.device) -> dict[str, Tensor]:
    """Single texts, uncut, as a padded batch."""
    return Reader(text, limit=sys.maxsize).inputs([Example(one, "") for one in texts], device)
