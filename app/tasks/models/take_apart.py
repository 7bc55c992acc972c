"""A checkpoint's weights by component, counted in the loaded model."""

from __future__ import annotations

from app.engine.anatomy import BLUEPRINTS, drawn_up, measures_of, parts_of
from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.models import Anatomy, Part

SIZES = tuple(BLUEPRINTS)


def take_apart(model: str) -> Anatomy:
    """The parts of a checkpoint and its dimensions.

    Raises:
        PlaygroundError: `unknown_model`, `model_unavailable`, `busy`.
    """
    loaded = loader().get(find(model, ""))
    return Anatomy(loaded.checkpoint.name, loaded.checkpoint.revision, parts_of(loaded.model), measures_of(loaded))


def bert_or_albert(size: str, factorised: bool, shared: bool) -> list[Part]:
    """BERT's encoder at a published size, with none, one or both of ALBERT's changes.

    Raises:
        PlaygroundError: `bad_value`, no such size.
    """
    if size not in SIZES:
        raise PlaygroundError("bad_value", "choice", field="size", choices=", ".join(SIZES))
    return drawn_up(size, bool(factorised), bool(shared))
