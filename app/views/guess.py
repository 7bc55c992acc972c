"""Draws how a visitor's guess ranks in the models' answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.results.text import FillMaskResult
from app.views.candidates import in_percent
from app.views.html import Markup
from app.views.notes import draw_note


def draw_guesses(results: Sequence[FillMaskResult], labels: Mapping[str, str]) -> Markup:
    """Each model's rank and probability of the last requested word."""
    return draw_note(*(_told(result, labels) for result in results))


def _told(result: FillMaskResult, labels: Mapping[str, str]) -> str:
    guess = result.targets[-1]
    values = {"word": guess.word, "model": result.model, "probability": in_percent(guess.probability)}
    if guess.rank is None:
        return labels["guess_result_pieces"].format(count=len(guess.pieces), **values)
    return labels["guess_result"].format(rank=f"{guess.rank:,}", **values)
