"""The ids that the objectives need from a tokenizer."""

from __future__ import annotations

from dataclasses import dataclass

from transformers import PreTrainedTokenizerFast


@dataclass(frozen=True)
class SpecialIds:
    """Ids of the special tokens of a BERT vocabulary."""

    cls: int
    sep: int
    mask: int
    pad: int
    vocab_size: int


def special_ids(tokenizer: PreTrainedTokenizerFast) -> SpecialIds:
    """The ids of the special tokens and the size of the vocabulary."""
    return SpecialIds(
        tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.mask_token_id, tokenizer.pad_token_id, len(tokenizer)
    )
