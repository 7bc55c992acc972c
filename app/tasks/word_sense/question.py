"""The question the word-sense page shows an answer to, while its fields may already say something else."""

from __future__ import annotations

from dataclasses import dataclass

from app.results.word_sense import Neighbourhood, SensePanel
from app.tasks.word_sense.page import MIX, near_words, open_panel


@dataclass(frozen=True)
class Question:
    """A word in sentences, for one model or two.

    Attributes:
        lines: one sentence per line.
        word: the word.
        models: their names.
        inflected: whether other forms of the word count too.
        weights: of ELMo's mix, once it was requested.
    """

    lines: str
    word: str
    models: tuple[str, ...]
    inflected: bool
    weights: list[float] | None = None

    def panels(self, method: str, dimensions: int) -> list[SensePanel]:
        """Every model's answer; see `open_panel`."""
        asked = (self.inflected, method, dimensions, self.weights)
        return [open_panel(self.lines, self.word, model, *asked) for model in self.models]

    def near(self, model: str, occurrence: int, layer: str) -> Neighbourhood:
        """The nearest words to an occurrence at a layer or in the mix; see `near_words`."""
        number: int | str = int(layer) if str(layer).isdecimal() else layer
        weights = None
        if layer == MIX and self.weights is not None:
            number, weights = 0, self.weights
        return near_words(self.lines, self.word, model, self.inflected, occurrence, number, weights)
