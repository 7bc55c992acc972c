"""GPT-2 from scratch: own byte-level BPE, the next piece (Radford et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.corpus import Corpus
from app.pretraining.data.tokenizers import train_byte_pairs
from app.pretraining.families.family import Family
from app.pretraining.objectives.next_token import TextBatch, packed_rows, tokenise_documents


class GPT2Family(Family):
    """Rows of running text, each piece predicted from those before it. A special piece begins every document."""

    model_class = GPT2LMHeadModel

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """The recipe's byte-level BPE vocabulary; Chinese in single characters, as in published models."""
        return train_byte_pairs(files, self.recipe.vocab_size, by_character=self.recipe.language == "zh")

    def tokenise(self, files: list[Path], tokenizer: PreTrainedTokenizerFast) -> Corpus:
        """Whole documents."""
        return tokenise_documents(files, tokenizer.backend_tokenizer)

    def build_model(self, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
        """A new model with random weights from the recipe's seed."""
        torch.manual_seed(self.recipe.seed)
        end = tokenizer.eos_token_id
        config = GPT2Config(vocab_size=len(tokenizer), bos_token_id=end, eos_token_id=end, **self.recipe.config)
        return GPT2LMHeadModel(config)

    def parameter_groups(self, model: PreTrainedModel) -> list[dict]:
        """Muon gets the layers' matrices; AdamW gets embeddings, biases and layer norms, without decay."""
        matrices = [p for name, p in model.named_parameters() if p.ndim == 2 and ".h." in name]
        known = {id(p) for p in matrices}
        others = [p for p in model.parameters() if id(p) not in known]
        return [
            {
                "params": matrices,
                "lr": self.recipe.matrix_learning_rate,
                "weight_decay": self.recipe.weight_decay,
                "orthogonal": True,
            },
            {"params": others, "lr": self.recipe.learning_rate, "weight_decay": 0.0},
        ]

    def batches(self, corpus: Corpus, tokenizer: PreTrainedTokenizerFast, pass_number: int) -> Iterator[TextBatch]:
        """One pass over the documents, laid end to end."""
        return packed_rows(
            corpus,
            tokenizer.eos_token_id,
            pass_number=pass_number,
            seed=self.recipe.seed,
            lengths=self.recipe.lengths,
            tokens_per_batch=self.recipe.tokens_per_batch,
        )

    def loss(self, model: GPT2LMHeadModel, batch: TextBatch, device: torch.device, precision: torch.dtype) -> Tensor:
        """Mean cross entropy of each piece given those before it in its row."""
        ids = torch.from_numpy(batch.input_ids).to(device)
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
            hidden = model.transformer(ids).last_hidden_state[:, :-1].flatten(0, 1)  # [position, hidden]
        no_bias = hidden.new_zeros(len(model.lm_head.weight), dtype=torch.float32)
        return vocabulary_cross_entropy(hidden, model.lm_head.weight, no_bias, ids[:, 1:].flatten(), precision)
