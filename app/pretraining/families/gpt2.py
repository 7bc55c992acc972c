"""GPT-2 from nothing: own byte-level BPE, the next piece (Radford et al. 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.corpus import Corpus
from app.pretraining.data.special_ids import SpecialIds
from app.pretraining.data.tokenizers import read_tokenizer, train_byte_pairs
from app.pretraining.families import bert
from app.pretraining.families.family import Family
from app.pretraining.objectives.next_token import TextBatch, packed_rows, tokenise_documents
from app.pretraining.recipes import Recipe


def make_tokenizer(recipe: Recipe, files: list[Path]) -> PreTrainedTokenizerFast:
    """The recipe's byte-level BPE vocabulary; Chinese in single characters, as its published checkpoints have it."""
    return train_byte_pairs(files, recipe.vocab_size, by_character=recipe.language == "zh")


def tokenise(files: list[Path], tokenizer: PreTrainedTokenizerFast) -> Corpus:
    """Documents whole."""
    return tokenise_documents(files, tokenizer.backend_tokenizer)


def special(tokenizer: PreTrainedTokenizerFast) -> SpecialIds:
    """GPT-2 has one special piece, between texts: it stands in every place."""
    end = tokenizer.eos_token_id
    return SpecialIds(cls=end, sep=end, mask=end, pad=end, vocab_size=len(tokenizer))


def build_model(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
    """A new model with random weights from the recipe's seed."""
    torch.manual_seed(recipe.seed)
    end = tokenizer.eos_token_id
    return GPT2LMHeadModel(GPT2Config(vocab_size=len(tokenizer), bos_token_id=end, eos_token_id=end, **recipe.config))


def batches(recipe: Recipe, corpus: Corpus, special: SpecialIds, masking: int) -> Iterator[TextBatch]:
    """One pass; `masking` is its number."""
    return packed_rows(
        corpus,
        special.sep,
        copy=masking,
        seed=recipe.seed,
        lengths=recipe.lengths,
        tokens_per_batch=recipe.tokens_per_batch,
    )


def next_piece_loss(
    model: GPT2LMHeadModel, batch: TextBatch, device: torch.device, precision: torch.dtype, pair_weight: float = 1.0
) -> Tensor:
    """Mean cross entropy of each piece given those before it in its row; there is no pair head to weigh."""
    ids = torch.from_numpy(batch.input_ids).to(device)
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
        hidden = model.transformer(ids).last_hidden_state[:, :-1].flatten(0, 1)  # [position, hidden]
    no_bias = hidden.new_zeros(len(model.lm_head.weight), dtype=torch.float32)
    return vocabulary_cross_entropy(hidden, model.lm_head.weight, no_bias, ids[:, 1:].flatten(), precision)


def groups(model: PreTrainedModel, recipe: Recipe) -> list[dict]:
    """The layers' matrices go to Muon; embeddings, biases and layer norms to AdamW, without decay."""
    matrices = [p for name, p in model.named_parameters() if p.ndim == 2 and ".h." in name]
    known = {id(p) for p in matrices}
    others = [p for p in model.parameters() if id(p) not in known]
    return [
        {
            "params": matrices,
            "lr": recipe.matrix_learning_rate,
            "weight_decay": recipe.weight_decay,
            "orthogonal": True,
        },
        {"params": others, "lr": recipe.learning_rate, "weight_decay": 0.0},
    ]


def load(folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
    """The bundled checkpoint in float32."""
    model = GPT2LMHeadModel.from_pretrained(folder, dtype=torch.float32)
    return model.eval(), read_tokenizer(folder)


FAMILY = Family(
    make_tokenizer,
    build_model,
    batches,
    next_piece_loss,
    groups,
    bert.save,
    load,
    tokenise=tokenise,
    special=special,
)
