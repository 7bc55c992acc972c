"""Sentence pairs such as visitors type, asked the way the page asks: what follows, what comes first."""

from __future__ import annotations

import csv
from pathlib import Path

from app.tasks.sentence_pair.judge import sentence_pair

FILE = Path(__file__).with_name("everyday_pairs.tsv")
# The wrong second sentence is taken from this many lines further down.
SHIFT = 7


def everyday_pairs() -> list[tuple[str, str]]:
    """Pairs written for this measure: the second sentence follows the first."""
    with FILE.open(encoding="utf-8", newline="") as opened:
        return [tuple(row) for row in csv.reader(opened, delimiter="\t", quoting=csv.QUOTE_NONE)]


def typed_pair_scores(model: str) -> dict:
    """Accuracy on the model's own question; half of the pairs are right and half wrong."""
    pairs = everyday_pairs()
    seconds = [second for _, second in pairs]
    wrong = {
        "nsp": [(first, seconds[(at + SHIFT) % len(pairs)]) for at, (first, _) in enumerate(pairs)],
        "sop": [(second, first) for first, second in pairs],
    }
    objective = sentence_pair(*pairs[0], model).objective
    right = [_says_yes(pair, model) for pair in pairs] + [not _says_yes(pair, model) for pair in wrong[objective]]
    return {objective: {"model": round(sum(right) / len(right), 4), "chance": 0.5, "pairs": len(right)}}


def _says_yes(pair: tuple[str, str], model: str) -> bool:
    labels = sentence_pair(*pair, model).labels
    return max(labels, key=lambda label: label.probability) is labels[0]
