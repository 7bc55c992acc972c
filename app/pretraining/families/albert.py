"""ALBERT from nothing: factorised embeddings, shared layers, masked pieces and sentence order (arXiv 1909.11942)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import (
    AlbertConfig,
    AlbertForPreTraining,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.corpus import Corpus
from app.pretraining.data.special_ids import SpecialIds
from app.pretraining.data.tokenizers import read_tokenizer, train_unigram
from app.pretraining.families import bert
from app.pretraining.objectives.masking import PairBatch
from app.pretraining.objectives.sentence_order import order_pairs
from app.pretraining.recipes import Recipe


def make_tokenizer(recipe: Recipe, files: list[Path]) -> PreTrainedTokenizerFast:
    """The recipe's unigram vocabulary, as SentencePiece makes them."""
    return train_unigram(files, recipe.vocab_size)


def build_model(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A new model with random weights from the recipe's seed."""
    torch.manual_seed(recipe.seed)
    ids = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("pad", "bos", "eos")}
    return AlbertForPreTraining(AlbertConfig(vocab_size=len(tokenizer), **ids, **recipe.config))


def batches(recipe: Recipe, corpus: Corpus, special: SpecialIds, masking: int) -> Iterator[PairBatch]:
    """One pass with one of the fixed maskings; the pairs ask for the order."""
    return bert.masked_batches(recipe, corpus, special, masking, order_pairs)


def order_loss(
    model: AlbertForPreTraining,
    batch: PairBatch,
    device: torch.device,
    precision: torch.dtype,
    pair_weight: float = 1.0,
) -> Tensor:
    """Masked-LM loss plus sentence-order loss; the vocabulary head runs at the masked positions."""
    arrays, heads = bert.to_tensors(batch, device), model.predictions
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
        output = model.albert(
            input_ids=arrays["input_ids"],
            attention_mask=arrays["attention_mask"],
            token_type_ids=arrays["token_type_ids"],
        )
        hidden = output.last_hidden_state.flatten(0, 1)[arrays["masked_positions"]]  # [masked, hidden]
        hidden = heads.LayerNorm(heads.activation(heads.dense(hidden)))  # [masked, embedding]
        order_logits = model.sop_classifier(output.pooler_output)  # [batch, 2]
    decoder, labels = heads.decoder, arrays["next_sentence_label"]
    masked = vocabulary_cross_entropy(hidden, decoder.weight, decoder.bias, arrays["masked_labels"], precision)
    pairs = (labels >= 0).sum().clamp(min=1)
    order = nn.functional.cross_entropy(order_logits.float(), labels, reduction="sum") / pairs
    return masked + pair_weight * order


def load(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """The bundled checkpoint in float32."""
    model = AlbertForPreTraining.from_pretrained(folder, dtype=torch.float32)
    return model.eval(), read_tokenizer(folder)


FAMILY = replace(
    bert.FAMILY, make_tokenizer=make_tokenizer, build_model=build_model, batches=batches, loss=order_loss, load=load
)
