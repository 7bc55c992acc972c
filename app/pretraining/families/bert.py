"""BERT from scratch: own WordPiece, masked pieces and next sentence (Devlin et al. 2018, arXiv 1810.04805)."""

from __future__ import annotations

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
from app.pretraining.data.special_ids import special_ids
from app.pretraining.data.tokenizers import train_wordpiece
from app.pretraining.families.family import Family
from app.pretraining.objectives.masking import PairBatch, PairSource, masked_pairs, sentence_pairs

# Number of characters with a piece of their own, for languages where 400 are not enough.
CHARACTERS = {"zh": 6_000}


class BertFamily(Family):
    """Masked pieces and sentence pairs. ALBERT and RoBERTa inherit from it and override what they changed."""

    model_class = BertForPreTraining

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """The recipe's WordPiece vocabulary."""
        return train_wordpiece(files, self.recipe.vocab_size, CHARACTERS.get(self.recipe.language, 400))

    def build_model(self, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
        """A new model with random weights from the recipe's seed."""
        torch.manual_seed(self.recipe.seed)
        return BertForPreTraining(
            BertConfig(vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id, **self.recipe.config)
        )

    @property
    def pairs(self) -> PairSource:
        """Pairs for the question whether the second sentence follows the first."""
        return partial(sentence_pairs, mix=self.recipe.mix)

    def batches(self, corpus: Corpus, tokenizer: PreTrainedTokenizerFast, pass_number: int) -> Iterator[PairBatch]:
        """One pass over the instances from `pairs`, with its own masking, in the recipe's sizes."""
        return masked_pairs(
            corpus,
            special_ids(tokenizer),
            masking=pass_number,
            seed=self.recipe.seed,
            lengths=self.recipe.lengths,
            tokens_per_batch=self.recipe.tokens_per_batch,
            pairs=self.pairs,
        )

    def loss(self, model: BertForPreTraining, batch: PairBatch, device: torch.device, precision: torch.dtype) -> Tensor:
        """Masked-LM plus next-sentence loss, as in the paper; the vocabulary head runs only at the masked positions."""
        arrays = to_tensors(batch, device)
        hidden, relationship_logits = encode(model, arrays, precision)
        return loss_of_heads(model, arrays, hidden, relationship_logits, precision, self.recipe.pair_weight)


def to_tensors(batch: PairBatch, device: torch.device) -> dict[str, Tensor]:
    """The batch's arrays on the device, by field name."""
    return {name: torch.from_numpy(getattr(batch, name)).to(device) for name in PairBatch.__dataclass_fields__}


def encode(
    model: BertForPreTraining, arrays: dict[str, Tensor], precision: torch.dtype, embedded: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """(transformed hidden states at the masked positions [masked, hidden], relationship logits [batch, 2]).

    `embedded` [batch, token, hidden] replaces the ids if the caller has already looked them up.
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
    pair_weight: float,
    table: Tensor | None = None,
    unlikely: Tensor | None = None,
) -> Tensor:
    """The sum of both heads' losses; `table` [vocab, hidden] replaces the decoder's own weights.

    `unlikely` is passed to `vocabulary_cross_entropy`.
    """
    decoder = model.cls.predictions.decoder
    weight = decoder.weight if table is None else table
    masked = vocabulary_cross_entropy(hidden, weight, decoder.bias, arrays["masked_labels"], precision, unlikely)
    return masked + pair_weight * pair_cross_entropy(relationship_logits, arrays["next_sentence_label"])


def pair_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """Mean cross entropy of the pairs' two classes; sequences without a pair (label -100) do not count."""
    pairs = (labels >= 0).sum().clamp(min=1)
    return nn.functional.cross_entropy(logits.float(), labels, reduction="sum") / pairs
