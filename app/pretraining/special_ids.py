"""From a tokenizer to the ids that the objectives need."""

from __future__ import annotations

from transformers import PreTrainedTokenizerFast

from app.pretraining.objectives import SpecialIds


def special_ids(tokenizer: PreTrainedTokenizerFast) -> SpecialIds:
    """The ids of the special tokens and the size of the vocabulary."""
    return SpecialIds(
        tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.mask_token_id, tokenizer.pad_token_id, len(tokenizer)
    )
