"""Pairs of sentences that a visitor would type, asked through the page's own path: what follows, what comes first."""

from __future__ import annotations

import csv
from pathlib import Path

from app.tasks.sentence_pair.judge import sentence_pair

FILE = Path(__file__).with_name("everyday_pairs.tsv")
# A wrong second sentence is the one of the pair so many lines further down.
SHIFT = 7


def everyday_pairs() -> list[tuple[str, str]]:
    """Two sentences each, the second following on the first; written for this measure."""
    with FILE.open(encoding="utf-8", newline="") as opened:
        return [tuple(row) for row in csv.reader(opened, delimiter="\t", quoting=csv.QUOTE_NONE)]


def typed_pair_scores(model: str) -> dict:
    """Shares that the model's own question is answered right in; the wrong halves are as many as the right ones."""
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
