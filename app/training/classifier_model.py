"""The classifier that fine-tuning begins with and ends with: transformers' own class around a copy of an encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor, nn

from app.engine.families.batching import length_sorted_batches
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import ONE_AT_A_TIME
from app.models.low_rank import add_low_rank, merge_low_rank
from app.training.labelled import Example
from app.training.reading import Reader

Method = Literal["full", "frozen", "lora"]
SCALE = 2.0  # alpha / rank of the low-rank changes
NO_DROPOUT = ("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout", "classifier_dropout_prob")
HEAD = ("classifier.", "pooler.")
# What a checkpoint with one of these was saved with: a pooler that learned something.
POOLED_HEADS = frozenset({"next_sentence", "sentence_order", "classification"})


def build_classifier(base: Loaded, labels: Sequence[str], seed: int, *, from_scratch: bool) -> nn.Module:
    """A classifier with a copy of the base's encoder and a new head, in float32.

    Args:
        base: left as it is.
        labels: their names in order; they go into the config and so survive saving.
        seed: of the new weights.
        from_scratch: new weights everywhere.
    """
    settings = base.model.config.to_dict()
    settings |= {name: 0.0 for name in NO_DROPOUT if name in settings or name == "classifier_dropout_prob"}
    settings |= {"id2label": dict(enumerate(labels)), "label2id": {name: i for i, name in enumerate(labels)}}
    settings["architectures"] = [base.family.classifier_class.__name__]
    config = type(base.model.config).from_dict(settings)
    with ONE_AT_A_TIME, torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = base.family.classifier_class(config)
    if not from_scratch:
        _copy_encoder(base, model)
    return model.float().to(base.model.device)


def _copy_encoder(base: Loaded, model: nn.Module) -> None:
    source = base.model.base_model.state_dict()
    if not base.heads & POOLED_HEADS:
        source = {name: weight for name, weight in source.items() if not name.startswith("pooler.")}
    model.base_model.load_state_dict(source, strict=False)


def make_trainable(model: nn.Module, method: Method, seed: int, rank: int = 8) -> None:
    """Say which weights learn; for "lora", put the low-rank changes into the encoder's layers."""
    for parameter in model.parameters():
        parameter.requires_grad_(method == "full")
    if method == "full":
        return
    if method == "lora":
        generator = torch.Generator(device=next(model.parameters()).device).manual_seed(seed)
        add_low_rank(model.base_model.encoder, rank, SCALE, generator)
    prefix = f"{model.base_model_prefix}."
    for name, parameter in model.named_parameters():
        if name.removeprefix(prefix).startswith(HEAD):
            parameter.requires_grad_(True)


def finish(model: nn.Module) -> None:
    """Plain weights, evaluation mode: from here on the model only answers."""
    merge_low_rank(model)
    model.eval()
    for parameter in model.parameters():
        parameter.requires_grad_(True)


def head_vectors(model: nn.Module, reader: Reader, examples: Sequence[Example]) -> dict[int, Tensor]:
    """What the head is given of each example, by its `id`: the first token's top vector [hidden]. Computed once."""
    rows = reader.rows(examples)
    device, vectors = next(model.parameters()).device, {}
    model.eval()
    with torch.no_grad():
        for batch in length_sorted_batches([len(row.input_ids) for row in rows]):
            given = reader.batch([rows[index] for index in batch], device)
            made = model.base_model(**given).last_hidden_state[:, 0]  # [row, hidden]
            vectors.update({id(examples[index]): vector for index, vector in zip(batch, made, strict=True)})
    return vectors
