"""Draws how a visitor's guess ranks in the models' answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.results.text import FillMaskResult, Target
from app.views.candidates import in_percent
from app.views.html import Markup, tag
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


def draw_hidden(word: Target, labels: Mapping[str, str]) -> Markup:
    """How probable the model finds the word that was hidden, as a line below its own candidates."""
    key = "hidden_rank" if word.rank else "hidden_pieces"
    rank, share = f"{word.rank or 0:,}", in_percent(word.probability)
    said = labels[key].format(word=word.word, probability=share, rank=rank, count=len(word.pieces))
    return tag("p", said, class_="hidden-word")
