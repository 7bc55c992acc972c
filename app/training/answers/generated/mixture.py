"""The rows that are learnt: written ones, each time a little changed, and generated ones between them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.training.answers.generated.generator import Generator
from app.training.answers.generated.templates import read_templates
from app.training.answers.generated.variants import Variants
from app.training.answers.generated.wording import read_words
from app.training.answers.rows import Asked
from app.training.labelled import POOLED_BATCHES

# Share of the rows that are written ones.
WRITTEN = 0.45
# Fewest and most facts of a generated passage.
FACTS = (2, 6)


class Mixture:
    """Draws rows without end.

    Args:
        generator: of passages.
        variants: of written rows.
        seed: of the choice between them.
    """

    def __init__(self, generator: Generator, variants: Variants, seed: int) -> None:
        self.generator, self.variants, self.drawn = generator, variants, random.Random(seed)

    def batches(self, size: int) -> Iterator[list[Asked]]:
        """Batches of rows of similar length."""
        while True:
            rows = sorted(self._rows(size * POOLED_BATCHES), key=lambda row: row.length)
            pool = [rows[start : start + size] for start in range(0, len(rows), size)]
            self.drawn.shuffle(pool)
            yield from pool

    def _rows(self, count: int) -> list[Asked]:
        rows: list[Asked] = []
        while len(rows) < count:
            if self.drawn.random() < WRITTEN:
                rows.append(self.variants.draw())
            else:
                rows += self.generator.passage(self.drawn.randint(*FACTS), 1)
        return rows


def read_mixture(templates: Path, words: Path, rows: Sequence[Asked], seed: int) -> Mixture:
    """Written rows and what can be generated with the files' templates and words."""
    known = read_words(words)
    return Mixture(Generator(read_templates(templates), known, seed), Variants(rows, known, seed), seed)
