"""What was measured of a bundled checkpoint when it was made, from the `train.json` beside its weights."""

from __future__ import annotations

import json

from app.engine.files import BUNDLED
from app.registry.checkpoint import Checkpoint


def pair_accuracies(checkpoint: Checkpoint) -> tuple[float, float] | None:
    """Accuracy on next-sentence and on order pairs, both by the checkpoint's one pair head; None if not measured."""
    path = BUNDLED / checkpoint.name / "train.json"
    if not path.is_file():
        return None
    measured = json.loads(path.read_text(encoding="utf-8")).get("scores", {}).get("sentence_pairs", {})
    try:
        return measured["nsp"]["model"], measured["sop"]["model"]
    except KeyError:
        return None
