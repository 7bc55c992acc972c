"""Measured scores of the checkpoints: the registry's figures, and scores that come with bundled weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.engine.storage.bundled_scores import bundled_scores
from app.registry.checkpoint_rows import CATALOG
from app.registry.first import figures
from app.results.models import MeasuredScore

# Tasks whose figure is a measurement of its own; other tasks' figures repeat one, or count training text.
TASKS = ("fill_mask", "sentence_pair", "classify", "word_sense")
# Measure -> its path in a card's scores, and the baseline's.
IN_CARDS = {
    "perplexity": (("perplexity", "model", "word"), ("perplexity", "baselines", "Kneser-Ney, 5 pieces", "word")),
    "minimal_pairs": (("minimal_pairs", "model"), ("minimal_pairs", "baselines", "Kneser-Ney, 5 pieces")),
    "two_way": (("two_way_perplexity", "model", "forward"),
                ("two_way_perplexity", "baselines", "Kneser-Ney, 5 words", "forward")),
    "similarity": (("similarity", "WordSim-353", "model"), ()),
    "analogies": (("analogies", "model"), ()),
}  # fmt: skip


def measured_scores() -> list[MeasuredScore]:
    """All scores by measure, best first if higher is better."""
    return [*_figures(), *_cards()]


def _figures() -> Iterator[MeasuredScore]:
    for task in TASKS:
        for name, value in sorted(figures()[task].items(), key=lambda item: -item[1]):
            yield MeasuredScore(name, task, value)


def _cards() -> Iterator[MeasuredScore]:
    scores = {checkpoint.name: bundled_scores(checkpoint) for checkpoint in CATALOG if checkpoint.source == "bundled"}
    for measure, (path, beside) in IN_CARDS.items():
        for name, card in scores.items():
            value = _at(card, path)
            if value is not None:
                yield MeasuredScore(name, measure, value, _at(card, beside))


def _at(card: Mapping[str, Any], path: tuple[str, ...]) -> float | None:
    found: Any = card
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, int | float) else None
