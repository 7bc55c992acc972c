"""What the loader needs to know of an architecture family."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from torch import Tensor, nn
from transformers import PreTrainedModel

from app.engine.families.decoding.decoder import Block


@dataclass(frozen=True)
class Family:
    """An architecture family.

    Attributes:
        model_class: the transformers class that has all the pre-training heads.
        classifier_class: the one for sequence classification; None where there is none to be loaded.
        head_classes: per further head that transformers has a class of its own for, that class.
        classifier_head: what that class does above its encoder: from hidden states [row, token, hidden], of which only
            the first token is looked at, to logits [row, label]. Dropout is left out.
        classifier_reads: the token whose vector that head is given: the first one of an encoder ([CLS]), the last one
            of a model that reads from the left.
        tokenizer_class: its fast tokenizer.
        heads: per head, how the names of its weights begin.
        adapters: per head, what serves it; called with a `Loaded`. Made by `serves`, which knows both types.
        read: reads a folder that transformers' own classes cannot: the model, its tokenizer as the adapters want it,
            and the names of weights that were missing.
        encoder_blocks: of a base model, its layers with weights in blocks, for answers that need no gradients.
        lacks: per head that a folder's weights would serve, what else it lacks: a key of `missing_head` in errors.json.
    """

    model_class: type[nn.Module]
    tokenizer_class: type[Any]
    heads: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, Callable[..., Any]]
    classifier_class: type[PreTrainedModel] | None = None
    head_classes: Mapping[str, type[PreTrainedModel]] = field(default_factory=dict)
    classifier_head: Callable[[nn.Module, Tensor], Tensor] | None = None
    classifier_reads: Literal["first", "last"] = "first"
    read: Callable[[Path], tuple[nn.Module, object, set[str]]] | None = None
    encoder_blocks: Callable[[nn.Module], list[Block]] | None = None
    lacks: Callable[[Path], Mapping[str, str]] | None = None

    def class_logits(self, model: nn.Module, hidden: Tensor) -> Tensor:
        """Applies the head of `classifier_head` to hidden states.

        Raises:
            TypeError: the family has none.
        """
        if self.classifier_head is None:
            raise TypeError("this family has no class for sequence classification")
        return self.classifier_head(model, hidden)
