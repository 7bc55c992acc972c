"""The functions that a kind of checkpoint must supply. Knows no kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.corpus import Corpus
from app.pretraining.objectives import PairBatch, SpecialIds
from app.pretraining.recipes import Recipe


@dataclass(frozen=True)
class Family:
    """One kind of checkpoint.

    Attributes:
        make_tokenizer: trains the vocabulary on the files, or fetches the one that belongs to the base checkpoint.
        build_model: the model as it is before the first step.
        batches: one pass over the text with masking number `copy`.
        loss: of one batch, at a precision, with the weight of its pair head.
        parameter_groups: what the optimizer trains, with its learning rates.
        save: writes weights, config and tokenizer into the bundle's folder.
        load: the bundle as a plain transformers model, ready to be asked.
    """

    make_tokenizer: Callable[[Recipe, list[Path]], PreTrainedTokenizerFast]
    build_model: Callable[[Recipe, PreTrainedTokenizerFast], PreTrainedModel]
    batches: Callable[[Recipe, Corpus, SpecialIds, int], Iterator[PairBatch]]
    loss: Callable[[PreTrainedModel, PairBatch, torch.device, torch.dtype, float], Tensor]
    parameter_groups: Callable[[PreTrainedModel, Recipe], list[dict]]
    save: Callable[[PreTrainedModel, PreTrainedTokenizerFast, Path], None]
    load: Callable[[Path], tuple[PreTrainedModel, PreTrainedTokenizerFast]]
