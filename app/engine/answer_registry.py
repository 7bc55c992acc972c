"""Answers what the registry asks and does not know itself: which checkpoints are usable here, what a Hub name holds."""

from __future__ import annotations

from app.engine.storage.hub_models import look_up
from app.engine.storage.locate import is_usable
from app.registry.first import ask_for_usable
from app.registry.lookup import ask_for_strangers


def answer_registry() -> None:
    """Let the registry ask. Every program calls it when it starts.

    Without it, published checkpoints count as absent, and no name outside the catalog is known.
    """
    ask_for_usable(is_usable)
    ask_for_strangers(look_up)
