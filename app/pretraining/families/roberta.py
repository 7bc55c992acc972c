"""RoBERTa from nothing: byte-level BPE, masked pieces only, another masking in each pass (arXiv 1907.11692)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor
from transformers import (
    PreTrainedModel,
    PreTrainedTokenizerFast,
    RobertaConfig,
    RobertaForMaskedLM,
)

from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.corpus import Corpus, tokenise
from app.pretraining.data.special_ids import SpecialIds
from app.pretraining.data.tokenizers import read_tokenizer, train_roberta_pairs
from app.pretraining.families import bert
from app.pretraining.objectives.full_sentences import full_sentences
from app.pretraining.objectives.masking import PairBatch
from app.pretraining.recipes import Recipe


def make_tokenizer(recipe: Recipe, files: list[Path]) -> PreTrainedTokenizerFast:
    """The recipe's byte-level BPE vocabulary with RoBERTa's special pieces."""
    return train_roberta_pairs(files, recipe.vocab_size)


def build_model(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A new model with random weights from the recipe's seed."""
    torch.manual_seed(recipe.seed)
    ids = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("pad", "bos", "eos")}
    return RobertaForMaskedLM(RobertaConfig(vocab_size=len(tokenizer), type_vocab_size=1, **ids, **recipe.config))


def batches(recipe: Recipe, corpus: Corpus, special: SpecialIds, masking: int) -> Iterator[PairBatch]:
    """One pass with a masking of its own; no pairs."""
    return bert.masked_batches(recipe, corpus, special, masking, full_sentences)


def masked_loss(
    model: RobertaForMaskedLM, batch: PairBatch, device: torch.device, precision: torch.dtype, pair_weight: float = 1.0
) -> Tensor:
    """Masked-LM loss; the vocabulary head runs at the masked positions. There is no pair head to weigh."""
    arrays, head = bert.to_tensors(batch, device), model.lm_head
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
        output = model.roberta(input_ids=arrays["input_ids"], attention_mask=arrays["attention_mask"])
        hidden = output.last_hidden_state.flatten(0, 1)[arrays["masked_positions"]]  # [masked, hidden]
        hidden = head.layer_norm(torch.nn.functional.gelu(head.dense(hidden)))
    return vocabulary_cross_entropy(hidden, head.decoder.weight, head.bias, arrays["masked_labels"], precision)


def load(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """The bundled checkpoint in float32."""
    model = RobertaForMaskedLM.from_pretrained(folder, dtype=torch.float32)
    return model.eval(), read_tokenizer(folder)


def tokenise_sentences(files: list[Path], tokenizer: PreTrainedTokenizerFast) -> Corpus:
    """The text cut into sentences; their first words with and without the space that belongs to a piece."""
    return tokenise(files, tokenizer.backend_tokenizer, before_every_other=" ")


FAMILY = replace(
    bert.FAMILY,
    make_tokenizer=make_tokenizer,
    build_model=build_model,
    batches=batches,
    loss=masked_loss,
    load=load,
    tokenise=tokenise_sentences,
)
