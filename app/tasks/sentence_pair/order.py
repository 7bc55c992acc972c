"""Puts the sentences of a paragraph in order: the exact best order by a matrix of pairs, beside a person's own.

The best order is found over all orders (dynamic programming over subsets, Held and Karp 1962), not greedily.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.errors import PlaygroundError
from app.results.sentence_pair import Order, ParagraphResult
from app.tasks.sentence_pair.judge import check_sentences, sentence_matrix

# After a full stop, question or exclamation mark and any closing quote; Chinese marks need no space after them.
SENTENCE_END = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][\"”’')]))\s+|(?<=[。！？])(?![”’」』）])\s*")
# Replaces the logarithm of a probability that is zero in floating point.
LOWEST_LOG = -745.0


@dataclass(frozen=True)
class Puzzle:
    """Sentences in their original order, and the order in which they are shown."""

    sentences: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    turn: int = 0  # how often they were shuffled


def order_paragraph(sentences: list[str], own: Sequence[int], model: str = "") -> ParagraphResult:
    """The best order of sentences given in their original order, and a person's own order beside it.

    Args:
        sentences: 2 to 8, in the right order.
        own: the person's order, as indices of `sentences`.
        model: catalog name; empty for the default.

    Raises:
        PlaygroundError: as `sentence_pair`; `bad_value`, `own` is not an order of all sentences.
    """
    written = list(range(len(check_sentences(sentences))))
    if sorted(own) != written:
        raise PlaygroundError("bad_value", "order", field="order", count=len(written))
    matrix = sentence_matrix(sentences, model)
    scores = log_matrix(matrix.probability)
    return ParagraphResult(
        matrix=matrix,
        best=_rated(best_order(scores), scores),
        own=_rated(list(own), scores),
        written=_rated(written, scores),
    )


def log_matrix(probability: list[list[float | None]]) -> list[list[float]]:
    """Natural logarithms [i][j]; the diagonal is zero and never used."""
    return [
        [0.0 if value is None else max(math.log(value), LOWEST_LOG) if value > 0 else LOWEST_LOG for value in row]
        for row in probability
    ]


def best_order(scores: list[list[float]]) -> list[int]:
    """The order with the largest sum of `scores[i][j]` over neighbours i, j; of equal ones, the first found."""
    count = len(scores)
    # best[subset][last]: largest sum over orders of this subset (as bits) that end with `last`, and its predecessor.
    best: list[dict[int, tuple[float, int]]] = [{} for _ in range(1 << count)]
    for index in range(count):
        best[1 << index][index] = (0.0, -1)
    for subset in range(1 << count):
        for last, (sum_so_far, _) in best[subset].items():
            for following in range(count):
                if subset >> following & 1:
                    continue
                grown, reached = subset | 1 << following, sum_so_far + scores[last][following]
                if following not in best[grown] or reached > best[grown][following][0]:
                    best[grown][following] = (reached, last)
    return _trace(best)


def _trace(best: list[dict[int, tuple[float, int]]]) -> list[int]:
    subset = len(best) - 1
    last = max(best[subset], key=lambda index: best[subset][index][0])
    order = []
    while last >= 0:
        order.append(last)
        subset, last = subset & ~(1 << last), best[subset][last][1]
    return order[::-1]


def _rated(order: list[int], scores: list[list[float]]) -> Order:
    total = sum(scores[before][after] for before, after in pairwise(order))
    right = sum(before < after for place, before in enumerate(order) for after in order[place + 1 :])
    return Order(order, total, right)


def split_sentences(text: str) -> list[str]:
    """The sentences of a paragraph: its lines or, if it is one line, its parts after full stops.

    Raises:
        PlaygroundError: `bad_value`, there are fewer than 2 or more than 8.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1:
        lines = [part.strip() for part in SENTENCE_END.split(lines[0]) if part and part.strip()]
    return check_sentences(lines)


def shuffle(count: int, turn: int) -> list[int]:
    """An order of `count` sentences other than the original; the same turn gives the same order."""
    order = list(range(count))
    source = random.Random(turn)
    while order == sorted(order):
        source.shuffle(order)
    return order


def shuffled(text: str, before: Puzzle) -> Puzzle:
    """The paragraph's sentences, in another order each turn.

    Raises:
        PlaygroundError: as `split_sentences`.
    """
    sentences = split_sentences(text)
    return Puzzle(tuple(sentences), tuple(shuffle(len(sentences), before.turn)), before.turn + 1)


def moved(puzzle: Puzzle, order: object) -> Puzzle:
    """The puzzle in the visitor's order; an invalid order changes nothing."""
    if not isinstance(order, list) or not all(type(index) is int for index in order):
        return puzzle
    if sorted(order) != list(range(len(puzzle.sentences))):
        return puzzle
    return Puzzle(puzzle.sentences, tuple(order), puzzle.turn)
