"""A visitor's model as bytes, from which any page process makes it again: safetensors, its configuration, its reader.

Of a model that shares the Transformer of its starting point, only what learned is packed.
"""

from __future__ import annotations

import json
import pickle
import secrets
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from app.engine.runtime.device import RunLock, choose_device
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import ONE_AT_A_TIME, load_family, loader
from app.engine.visitors.kept import Kept
from app.late_imports import importing
from app.registry.checkpoint import Checkpoint
from app.settings import settings
from app.visits import visits

if TYPE_CHECKING:
    from torch import nn

    from app.engine.family import Family

SMALL_LAYERS = ("LinearHead", "MixedHead")


@dataclass(frozen=True)
class PackedModel:
    """What is left of a model when its Python objects are taken away.

    Attributes:
        architecture: name of its class.
        config: of a model of transformers, as JSON; of a small layer its labels.
        weights: its own, as safetensors.
        reader: what reads its texts, pickled. It comes from a page process; no visitor can send one.
        shares: the checkpoint whose Transformer it uses.
        stamp: another one for each model.
    """

    checkpoint: Checkpoint
    heads: frozenset[str]
    size: int
    architecture: str
    config: str
    weights: bytes
    reader: bytes
    shares: Checkpoint | None
    stamp: str

    @property
    def bytes(self) -> int:
        """What it takes in memory."""
        return len(self.weights) + len(self.reader)

    def renamed(self, name: str) -> PackedModel:
        """The same under another name."""
        return replace(self, checkpoint=replace(self.checkpoint, name=name))


class PackedModels(Kept[PackedModel]):
    """All visitors' models, within the host's limits; those of a visit that is idle for too long go by themselves."""

    def __init__(self) -> None:
        host = settings()
        super().__init__(host.tuned_mb * 1_000_000, host.tuned_models, host.tuned_idle_minutes * 60.0)

    def put(self, owner: str, name: str, thing: PackedModel) -> None:
        """See `Kept`."""
        take = super().put
        visits().get(owner).own("models", lambda: self.forget(owner), lambda: take(owner, name, thing))

    def stamp(self, owner: str, name: str) -> str:
        """Of the owner's model of that name; empty where there is none."""
        found = self.get(owner, name)
        if found is None:
            return ""
        visits().touch(owner)
        return found.stamp


def pack(loaded: Loaded, base: Loaded | None) -> PackedModel:
    """A model as bytes.

    Args:
        loaded: the model; nobody runs it meanwhile.
        base: what it was trained from.
    """
    with importing():
        from safetensors.torch import save

    model: Any = loaded.model
    architecture = type(model).__name__
    below = getattr(model, "base_model", None)
    shares = base is not None and below is not None and below is getattr(base.model, "base_model", None)
    weights = model.score.state_dict() if shares else model.state_dict()
    config = json.dumps(model.labels) if architecture in SMALL_LAYERS else model.config.to_json_string()
    return PackedModel(
        checkpoint=loaded.checkpoint,
        heads=loaded.heads,
        size=loaded.bytes,
        architecture=architecture,
        config=config,
        weights=save({name: weight.detach().cpu().contiguous() for name, weight in weights.items()}),
        reader=pickle.dumps(loaded.text),
        shares=base.checkpoint if base is not None and shares else None,
        stamp=secrets.token_hex(8),
    )


def unpack(packed: PackedModel) -> Loaded:
    """The model in this process's memory.

    Raises:
        PlaygroundError: `model_unavailable`, what it shares weights with cannot be loaded here.
    """
    with importing():
        from safetensors.torch import load

        reader = pickle.loads(packed.reader)
    made = _small_layer if packed.architecture in SMALL_LAYERS else _transformer
    family, model = made(packed, load(packed.weights))
    return Loaded(packed.checkpoint, family, model.eval(), reader, packed.heads, packed.size, RunLock())


def _small_layer(packed: PackedModel, weights: dict[str, Any]) -> tuple[Family, nn.Module]:
    with importing():
        from app.engine.adapters.words_classifier import WORDS
        from app.models.small_heads import LinearHead, MixedHead

    labels, width = json.loads(packed.config), weights["linear.weight"].shape[1]
    if packed.architecture == LinearHead.__name__:
        model: nn.Module = LinearHead(width, labels)
    else:
        model = MixedHead(len(weights["mix.weights"]), width, labels)
    model.load_state_dict(weights)
    return WORDS, model


def _transformer(packed: PackedModel, weights: dict[str, Any]) -> tuple[Family, nn.Module]:
    with importing():
        import torch
    family = load_family(packed.checkpoint.family)
    classes = [family.classifier_class, *family.head_classes.values()]
    kind: Any = next(one for one in classes if one is not None and one.__name__ == packed.architecture)
    config = kind.config_class.from_dict(json.loads(packed.config))
    if packed.shares is None:
        with ONE_AT_A_TIME:
            model = kind(config).float()
        model.load_state_dict(weights)
        return family, model.to(choose_device())
    base: Any = loader().get(packed.shares).model
    with ONE_AT_A_TIME, torch.device("meta"):
        model = kind(config)
    setattr(model, model.base_model_prefix, base.base_model)
    model.score.load_state_dict(weights, assign=True)
    return family, model.to(base.device)
