"""BERT from nothing: own WordPiece, masked pieces and next sentence (Devlin et al. 2018, arXiv 1810.04805)."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers import (
    BertConfig,
    BertForPreTraining,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.corpus import Corpus
from app.pretraining.data.special_ids import SpecialIds
from app.pretraining.data.tokenizers import read_tokenizer, train_wordpiece
from app.pretraining.families.family import Family
from app.pretraining.objectives.masking import PairBatch, PairSource, masked_pairs, sentence_pairs
from app.pretraining.recipes import Recipe
from app.training.trainer import parameter_groups

# Characters with a piece of their own, where 400 are not enough.
CHARACTERS = {"zh": 6_000}


def make_tokenizer(recipe: Recipe, files: list[Path]) -> PreTrainedTokenizerFast:
    """The recipe's WordPiece vocabulary."""
    return train_wordpiece(files, recipe.vocab_size, CHARACTERS.get(recipe.language, 400))


def build_model(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A new model with random weights from the recipe's seed."""
    torch.manual_seed(recipe.seed)
    return BertForPreTraining(
        BertConfig(vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id, **recipe.config)
    )


def batches(recipe: Recipe, corpus: Corpus, special: SpecialIds, masking: int) -> Iterator[PairBatch]:
    """One pass with one of the fixed maskings."""
    return masked_batches(recipe, corpus, special, masking, partial(sentence_pairs, mix=recipe.mix))


def masked_batches(
    recipe: Recipe, corpus: Corpus, special: SpecialIds, masking: int, pairs: PairSource
) -> Iterator[PairBatch]:
    """One pass over what `pairs` makes of the documents, in the recipe's sizes."""
    return masked_pairs(
        corpus,
        special,
        copy=masking,
        seed=recipe.seed,
        lengths=recipe.lengths,
        tokens_per_batch=recipe.tokens_per_batch,
        pairs=pairs,
    )


def to_tensors(batch: PairBatch, device: torch.device) -> dict[str, Tensor]:
    """The batch's arrays on the device, by field name."""
    return {name: torch.from_numpy(getattr(batch, name)).to(device) for name in PairBatch.__dataclass_fields__}


def pair_loss(
    model: BertForPreTraining, batch: PairBatch, device: torch.device, precision: torch.dtype, pair_weight: float = 1.0
) -> Tensor:
    """Masked-LM loss plus next-sentence loss, as in the paper; the vocabulary head runs at the masked positions."""
    arrays = to_tensors(batch, device)
    hidden, relationship_logits = encode(model, arrays, precision)
    return loss_of_heads(model, arrays, hidden, relationship_logits, precision, pair_weight)


def encode(
    model: BertForPreTraining, arrays: dict[str, Tensor], precision: torch.dtype, embedded: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """(transformed hidden states at the masked positions [masked, hidden], relationship logits [batch, 2]).

    `embedded` [batch, token, hidden] stands for the ids where the caller looked them up itself.
    """
    device = arrays["input_ids"].device
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
        output = model.bert(
            input_ids=arrays["input_ids"] if embedded is None else None,
            inputs_embeds=embedded,
            attention_mask=arrays["attention_mask"],
            token_type_ids=arrays["token_type_ids"],
        )
        hidden = output.last_hidden_state.flatten(0, 1)[arrays["masked_positions"]]
        return model.cls.predictions.transform(hidden), model.cls.seq_relationship(output.pooler_output)


def loss_of_heads(
    model: BertForPreTraining,
    arrays: dict[str, Tensor],
    hidden: Tensor,
    relationship_logits: Tensor,
    precision: torch.dtype,
    pair_weight: float = 1.0,
    table: Tensor | None = None,
    unlikely: Tensor | None = None,
) -> Tensor:
    """The sum of both heads' losses; `table` [vocab, hidden] in place of the decoder's own weights.

    `unlikely` is as `vocabulary_cross_entropy` has it.
    """
    decoder = model.cls.predictions.decoder
    weight = decoder.weight if table is None else table
    masked = vocabulary_cross_entropy(hidden, weight, decoder.bias, arrays["masked_labels"], precision, unlikely)
    labels = arrays["next_sentence_label"]
    pairs = (labels >= 0).sum().clamp(min=1)
    follows = nn.functional.cross_entropy(relationship_logits.float(), labels, reduction="sum") / pairs
    return masked + pair_weight * follows


def groups(model: PreTrainedModel, recipe: Recipe) -> list[dict]:
    """All weights, at one rate."""
    return parameter_groups(model, recipe.weight_decay)


def save(model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, target: Path) -> None:
    """float16 safetensors (tied weights once) and the tokenizer's files."""
    copy.deepcopy(model).cpu().half().save_pretrained(target)
    tokenizer.save_pretrained(target)


def load(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """The bundled checkpoint in float32."""
    model = BertForPreTraining.from_pretrained(folder, dtype=torch.float32)
    return model.eval(), read_tokenizer(folder)


FAMILY = Family(make_tokenizer, build_model, batches, pair_loss, groups, save, load)
