"""What a kind of checkpoint does at each step of its making. The base class knows no kind."""

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
    """What a training step is fed with: arrays that only their family looks into."""

    @property
    def tokens(self) -> int:
        """Real tokens in it, for the run's count."""


class Family:
    """One kind of checkpoint, for one recipe; the methods stand in the order in which they are called."""

    model_class: ClassVar[type[PreTrainedModel]]

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe

    def make_tokenizer(self, files: list[Path]) -> PreTrainedTokenizerFast:
        """Train the vocabulary on the files, or fetch the one that belongs to the base checkpoint."""
        raise NotImplementedError

    def load_tokenizer(self, folder: Path) -> PreTrainedTokenizerFast:
        """The tokenizer in a folder."""
        return read_tokenizer(folder)

    def tokenise(self, files: list[Path], tokenizer: PreTrainedTokenizerFast) -> Corpus:
        """The training text in the tokenizer's ids; here cut into sentences."""
        return tokenise(files, tokenizer.backend_tokenizer)

    def build_model(self, tokenizer: PreTrainedTokenizerFast) -> PreTrainedModel:
        """The model as it is before the first step, with random weights from the recipe's seed."""
        raise NotImplementedError

    def give_start(self, model: PreTrainedModel, corpus: Corpus, cache: Path) -> None:
        """Put word vectors and frequencies into a new model (kept in a file), where the recipe asks for it."""
        give_start(model, corpus, self.recipe.seed, cache)

    def take_over(self, model: PreTrainedModel, bundle: Path) -> None:
        """Put an exported bundle's weights into a new model."""
        model.load_state_dict(self.load(bundle)[0].state_dict())

    def parameter_groups(self, model: PreTrainedModel) -> list[dict]:
        """What the optimizer trains, with its learning rates; here all weights, at one rate."""
        return parameter_groups(model, self.recipe.weight_decay)

    def batches(self, corpus: Corpus, tokenizer: PreTrainedTokenizerFast, pass_number: int) -> Iterator[Batch]:
        """One pass over the text; the same number makes the same batches."""
        raise NotImplementedError

    def loss(self, model: PreTrainedModel, batch: Any, device: torch.device, precision: torch.dtype) -> Tensor:
        """The loss of one batch; the layers compute at `precision`."""
        raise NotImplementedError

    def save(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerFast, target: Path) -> None:
        """Write float16 safetensors (tied weights once), the config and the tokenizer's files into the bundle."""
        copy.deepcopy(model).cpu().half().save_pretrained(target)
        tokenizer.save_pretrained(target)

    def load(self, folder: Path) -> tuple[PreTrainedModel, PreTrainedTokenizerFast]:
        """The bundle in float32 as a plain transformers model, ready to be asked, and its tokenizer."""
        model = self.model_class.from_pretrained(folder, dtype=torch.float32)
        return model.eval(), self.load_tokenizer(folder)
