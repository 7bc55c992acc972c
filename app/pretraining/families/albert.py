"""ALBERT from scratch: factorised embeddings, shared layers, masked pieces and sentence order (arXiv 1909.11942)."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor
from transformers import (
    AlbertConfig,
    AlbertForPreTraining,
    PreTrainedModel,
    PreTrainedTokenizerFast,
)

from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.tokenizers import train_unigram
from app.pretraining.families.bert import BertFamily, pair_cross_entropy, to_tensors
from app.pretraining.objectives.masking import PairBatch, PairSource
from app.pretraining.objectives.sentence_order import order_pairs


class AlbertFamily(BertFamily):
    """BERT's batches with another question about two sentences, for a model a fraction of the size."""

    model_class = AlbertForPreTraining

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """The recipe's unigram vocabulary, as made by SentencePiece."""
        return train_unigram(files, self.recipe.vocab_size)

    def build_model(self, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
        """A new model with random weights from the recipe's seed."""
        torch.manual_seed(self.recipe.seed)
        ids = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("pad", "bos", "eos")}
        return AlbertForPreTraining(AlbertConfig(vocab_size=len(tokenizer), **ids, **self.recipe.config))

    @property
    def pairs(self) -> PairSource:
        """Pairs for the question which sentence comes first."""
        return order_pairs

    def loss(
        self, model: AlbertForPreTraining, batch: PairBatch, device: torch.device, precision: torch.dtype
    ) -> Tensor:
        """Masked-LM loss plus sentence-order loss; the vocabulary head runs only at the masked positions."""
        arrays, heads = to_tensors(batch, device), model.predictions
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
            output = model.albert(
                input_ids=arrays["input_ids"],
                attention_mask=arrays["attention_mask"],
                token_type_ids=arrays["token_type_ids"],
            )
            hidden = output.last_hidden_state.flatten(0, 1)[arrays["masked_positions"]]  # [masked, hidden]
            hidden = heads.LayerNorm(heads.activation(heads.dense(hidden)))  # [masked, embedding]
            order_logits = model.sop_classifier(output.pooler_output)  # [batch, 2]
        decoder = heads.decoder
        masked = vocabulary_cross_entropy(hidden, decoder.weight, decoder.bias, arrays["masked_labels"], precision)
        return masked + self.recipe.pair_weight * pair_cross_entropy(order_logits, arrays["next_sentence_label"])
