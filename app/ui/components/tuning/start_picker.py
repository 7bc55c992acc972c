"""The picker of what a training starts from."""

from __future__ import annotations

from collections.abc import Sequence

from app.registry.checkpoint import Checkpoint
from app.ui.texts import say
from app.ui.widgets import model_choices

SLUG = "fine_tune"
# It has no weights, so no catalog lists it.
PLAIN = "none"


def start_choices(language: str, points: Sequence[Checkpoint]) -> list[tuple[str, str]]:
    """Choices: the models, all of which are here, then what was not pre-trained at all."""
    listed = [point for point in points if point.source != PLAIN]
    plain = [(say(language, SLUG, f"start.{point.name}"), point.name) for point in points if point.source == PLAIN]
    return [*model_choices(language, listed, {point.name for point in listed}), *plain]
