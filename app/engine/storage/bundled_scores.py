"""What was measured of a bundled checkpoint when it was made, from the `train.json` next to its weights."""

from __future__ import annotations

import json
from typing import Any

from app.engine.storage.locate import BUNDLED
from app.registry.checkpoint import Checkpoint

# Held-out pairs of three kinds: does it follow, which comes first, which of the two opens a text.
QUESTIONS = ("nsp", "sop", "opening")


def bundled_scores(checkpoint: Checkpoint) -> dict[str, Any]:
    """All that was measured, by what was asked; empty where nothing was."""
    path = BUNDLED / checkpoint.name / "train.json"
    return json.loads(path.read_text(encoding="utf-8")).get("scores", {}) if path.is_file() else {}


def pair_accuracies(checkpoint: Checkpoint) -> list[float] | None:
    """Accuracy on each of `QUESTIONS`, all by the checkpoint's one pair head; None if not measured."""
    measured = bundled_scores(checkpoint).get("sentence_pairs", {})
    try:
        return [measured[question]["model"] for question in QUESTIONS]
    except KeyError:
        return None
