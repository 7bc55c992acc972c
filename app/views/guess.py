"""Draws how a visitor's guess stands in a model's answer."""

from __future__ import annotations

from collections.abc import Mapping

from app.results.text import FillMaskResult
from app.views.candidates import in_percent
from app.views.notes import draw_note


def draw_guess(result: FillMaskResult, labels: Mapping[str, str]) -> str:
    """Rank and probability of the last word that was asked for."""
    guess = result.targets[-1]
    values = {"word": guess.word, "model": result.model, "probability": in_percent(guess.probability)}
    if guess.rank is None:
        return draw_note(labels["guess_result_pieces"].format(count=len(guess.pieces), **values))
    return draw_note(labels["guess_result"].format(rank=f"{guess.rank:,}", **values))
