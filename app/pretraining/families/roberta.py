"""RoBERTa from scratch: byte-level BPE, masked pieces only, a new masking in each pass (arXiv 1907.11692)."""

from __future__ import annotations

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
from app.pretraining.data.tokenizers import train_roberta_pairs
from app.pretraining.families.bert import BertFamily, to_tensors
from app.pretraining.objectives.full_sentences import full_sentences
from app.pretraining.objectives.masking import PairBatch, PairSource


class RobertaFamily(BertFamily):
    """BERT's masking over whole sentences; no question about pairs, hence no second loss."""

    model_class = RobertaForMaskedLM

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """The recipe's byte-level BPE vocabulary with RoBERTa's special pieces."""
        return train_roberta_pairs(files, self.recipe.vocab_size)

    def tokenise(self, files: list[Path], tokenizer: PreTrainedTokenizerFast) -> Corpus:
        """The text split into sentences; their first words occur with and without the space that belongs to a piece."""
        return tokenise(files, tokenizer.backend_tokenizer, before_every_other=" ")

    def build_model(self, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
        """A new model with random weights from the recipe's seed."""
        torch.manual_seed(self.recipe.seed)
        ids = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("pad", "bos", "eos")}
        config = RobertaConfig(vocab_size=len(tokenizer), type_vocab_size=1, **ids, **self.recipe.config)
        return RobertaForMaskedLM(config)

    @property
    def pairs(self) -> PairSource:
        """Sentences without a second part."""
        return full_sentences

    def loss(self, model: RobertaForMaskedLM, batch: PairBatch, device: torch.device, precision: torch.dtype) -> Tensor:
        """Masked-LM loss; the vocabulary head runs only at the masked positions."""
        arrays, head = to_tensors(batch, device), model.lm_head
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
            output = model.roberta(input_ids=arrays["input_ids"], attention_mask=arrays["attention_mask"])
            hidden = output.last_hidden_state.flatten(0, 1)[arrays["masked_positions"]]  # [masked, hidden]
            hidden = head.layer_norm(torch.nn.functional.gelu(head.dense(hidden)))
        return vocabulary_cross_entropy(hidden, head.decoder.weight, head.bias, arrays["masked_labels"], precision)
