"""Which heads of a checkpoint were trained: those whose weights are all in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.heads import CLASSIFICATION
from app.registry.checkpoint import SAVED_AS, Checkpoint

if TYPE_CHECKING:
    from torch import nn
    from transformers import PreTrainedModel

    from app.engine.family import Family


def model_class(family: Family, checkpoint: Checkpoint) -> type[PreTrainedModel]:
    """The class whose heads the checkpoint was saved with."""
    if CLASSIFICATION in checkpoint.heads and family.classifier_class is not None:
        return family.classifier_class
    own = (made for head, made in family.head_classes.items() if head in checkpoint.heads)
    return next(own, family.model_class)


def trained_heads(family: Family, model: nn.Module, missing_keys: set[str]) -> frozenset[str]:
    """The heads that the model has and none of whose weights are missing from the file.

    A head for sentences and one for words have weights of the same name: the class that was loaded, and the one that
    the file was saved with, must be the head's own.
    """
    names, loaded_as = list(model.state_dict()), type(model).__name__
    saved_as = getattr(getattr(model, "config", None), "architectures", None) or [loaded_as]

    def is_own(head: str) -> bool:
        ending = SAVED_AS.get(head)
        others = tuple(other for other in SAVED_AS.values() if other != ending)
        return ending is None or (loaded_as.endswith(ending) and not any(kind.endswith(others) for kind in saved_as))

    def is_trained(prefix: str) -> bool:
        there = any(name.startswith(prefix) for name in names)
        return there and not any(name.startswith(prefix) for name in missing_keys)

    having = (head for head, prefixes in family.heads.items() if all(is_trained(prefix) for prefix in prefixes))
    return frozenset(head for head in having if is_own(head))
