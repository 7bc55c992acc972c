"""Keeps a trained model under its own name, for its visitor only."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from app.engine.heads import CLASSIFICATION, TOKEN_CLASSIFICATION
from app.engine.runtime.device import RunLock
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.visitor_models import visitor_models
from app.registry.checkpoint import Checkpoint
from app.visits import Visit

if TYPE_CHECKING:
    from app.training.fine_tune import FineTuned


def is_portable(loaded: Loaded) -> bool:
    """Whether it can be downloaded, that is, whether it is a transformers model."""
    return loaded.family.classifier_class is not None


def keep(base: Loaded, tuned: FineTuned, visit: Visit) -> Loaded | None:
    """Keep the model under a name of its own for this visitor; None if the visit has ended."""
    source, made = base.checkpoint, tuned.made
    entry = Checkpoint(
        name=f"{source.name}-tuned-{secrets.token_hex(3)}",
        family=source.family,
        language=source.language,
        source="visitor",
        repo_id="",
        revision=f"{source.name} {source.revision}, fine-tuned in this visit",
        heads=tuple(head for head in (CLASSIFICATION, TOKEN_CLASSIFICATION) if head in made.heads),
        parameters=made.trained,
        download_bytes=0,
        licence=source.licence,
    )
    loaded = Loaded(entry, made.family, made.model, made.text, made.heads, made.bytes, RunLock())
    goes_on = visit.own(
        "models",
        drop=lambda: visitor_models().leave(visit.key),
        take=lambda: visitor_models().add(visit.key, loaded, base),
    )
    return loaded if goes_on else None
