"""What the loader needs to know of an architecture family."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from transformers import PreTrainedModel, PreTrainedTokenizerFast


@dataclass(frozen=True)
class Family:
    """An architecture family.

    Attributes:
        model_class: the transformers class that has all the pre-training heads.
        classifier_class: the one for sequence classification; None where there is none to be loaded.
        tokenizer_class: its fast tokenizer.
        heads: per head, how the names of its weights begin.
        adapters: per head, what serves it; called with a `Loaded`.
    """

    model_class: type[PreTrainedModel]
    tokenizer_class: type[PreTrainedTokenizerFast]
    heads: Mapping[str, tuple[str, ...]]
    adapters: Mapping[str, type[Any]]
    classifier_class: type[PreTrainedModel] | None = None
