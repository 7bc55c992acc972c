"""What a kind of checkpoint does at each step of its making. The base class knows no particular kind."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Protocol

import torch
from torch import Tensor
from transformers import PreTrainedModel, PreTrainedTokenizerFast

from app.pretraining.data.corpus import Corpus, tokenise
from app.pretraining.data.tokenizers import read_tokenizer
from app.pretraining.initial_weights import give_start
from app.pretraining.recipes import Recipe
from app.training.trainer import parameter_groups


class Batch(Protocol):
    """The input of a training step: arrays that only their family looks into."""

    @property
    def tokens(self) -> int:
        """Number of tokens without padding, for the run's count."""


class Family:
    """One kind of checkpoint, for one recipe; the methods are in the order in which they are called."""

    model_class: ClassVar[type[PreTrainedModel]]

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """Train the vocabulary on the files, or fetch the base checkpoint's."""
        raise NotImplementedError

    def load_tokenizer(self, folder: Path) -> PreTrainedTokenizerFast:
        """The tokenizer in a folder."""
        return read_tokenizer(folder)

    def tokenise(self, files: list[Path], tokenizer: PreTrainedTokenizerFast) -> Corpus:
        """The training text as the tokenizer's ids; here split into sentences."""
        return tokenise(files, tokenizer.backend_tokenizer)

    def build_model(self, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
        """The model before the first step, with random weights from the recipe's seed."""
        raise NotImplementedError

    def give_start(self, model: PreTrainedModel, corpus: Corpus, cache: Path) -> None:
        """Put word vectors and frequencies (cached in a file) into a new model if the recipe asks for it."""
        give_start(model, corpus, self.recipe.seed, cache)

    def take_over(self, model: PreTrainedModel, bundle: Path) -> None:
        """Put an exported bundle's weights into a new model."""
        model.load_state_dict(self.load(bundle)[0].state_dict())

    def parameter_groups(self, model: PreTrainedModel) -> list[dict]:
        """The optimizer's parameters with their learning rates; here all weights, at one rate."""
        return parameter_groups(model, self.recipe.weight_decay)

    def batches(self, corpus: Corpus, tokenizer: PreTrainedTokenizerFast, pass_number: int) -> Iterator[Batch]:
        """One pass over the text; the same number gives the same batches."""
        raise NotImplementedError

    def loss(self, model: PreTrainedModel, batch: Any, device: torch.device, precision: torch.dtype) -> Tensor:
        """The loss of one batch; the layers compute in `precision`."""
        raise NotImplementedError

    def save(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, target: Path) -> None:
        """Write float16 safetensors (tied weights once), the config and the tokenizer's files into the bundle."""
        copy.deepcopy(model).cpu().half().save_pretrained(target)
        tokenizer.save_pretrained(target)

    def load(self, folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
        """The bundle as a plain transformers model in float32, ready to be used, and its tokenizer."""
        model = self.model_class.from_pretrained(folder, dtype=torch.float32)
        return model.eval(), self.load_tokenizer(folder)
