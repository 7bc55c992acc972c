"""What was measured of a bundled checkpoint when it was made, from the `train.json` beside its weights."""

from __future__ import annotations

import json

from app.engine.storage.locate import BUNDLED
from app.registry.checkpoint import Checkpoint

# Held-out pairs of three kinds: does it follow, which comes first, which of the two opens a text.
QUESTIONS = ("nsp", "sop", "opening")


def pair_accuracies(checkpoint: Checkpoint) -> list[float] | None:
    """Accuracy on each of `QUESTIONS`, all by the checkpoint's one pair head; None if not measured."""
    path = BUNDLED / checkpoint.name / "train.json"
    if not path.is_file():
        return None
    measured = json.loads(path.read_text(encoding="utf-8")).get("scores", {}).get("sentence_pairs", {})
    try:
        return [measured[question]["model"] for question in QUESTIONS]
    except KeyError:
        return None
