"""The functions that a kind of checkpoint must supply. Knows no kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.data.corpus import Corpus, tokenise
from app.pretraining.data.special_ids import SpecialIds, special_ids
from app.pretraining.data.tokenizers import read_tokenizer
from app.pretraining.initial_weights import give_start
from app.pretraining.recipes import Recipe


class Batch(Protocol):
    """What a training step is fed with: arrays that only their family looks into."""

    @property
    def tokens(self) -> int:
        """Real tokens in it, for the run's count."""


def tokenise_sentences(files: list[Path], tokenizer: PreTrainedTokenizerFast) -> Corpus:
    """The text cut into sentences, in pieces of a fast tokenizer."""
    return tokenise(files, tokenizer.backend_tokenizer)


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
        take_over: puts an exported bundle's weights into a new model; None where they have the same names.
        load_tokenizer: the tokenizer in a folder.
        tokenise: the training text in the tokenizer's ids.
        special: the ids that the batches need to know.
        give_start: puts word vectors and frequencies into a new model (cached in a file), where the recipe asks for it.
    """

    make_tokenizer: Callable[[Recipe, list[Path]], PreTrainedTokenizerFast]
    build_model: Callable[[Recipe, PreTrainedTokenizerFast], PreTrainedModel]
    batches: Callable[[Recipe, Corpus, SpecialIds, int], Iterator[Batch]]
    loss: Callable[[PreTrainedModel, Any, torch.device, torch.dtype, float], Tensor]
    parameter_groups: Callable[[PreTrainedModel, Recipe], list[dict]]
    save: Callable[[PreTrainedModel, PreTrainedTokenizerFast, Path], None]
    load: Callable[[Path], tuple[PreTrainedModel, PreTrainedTokenizerFast]]
    take_over: Callable[[PreTrainedModel, Path], None] | None = None
    load_tokenizer: Callable[[Path], PreTrainedTokenizerFast] = read_tokenizer
    tokenise: Callable[[list[Path], PreTrainedTokenizerFast], Corpus] = tokenise_sentences
    special: Callable[[PreTrainedTokenizerFast], SpecialIds] = special_ids
    give_start: Callable[[PreTrainedModel, Corpus, int, Path], None] = give_start
