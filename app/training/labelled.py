"""Labelled texts for fine-tuning: numbers for labels, rows kept back for validation, batches, light augmentation."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Share of words that augmentation deletes, and of neighbours that it swaps (Wei and Zou 2019, arXiv 1901.11196).
DELETED, SWAPPED = 0.1, 0.1
# This many batches are drawn together and divided by length, so that batches need little padding.
POOLED_BATCHES = 8


@dataclass(frozen=True)
class Example:
    """A text, or a pair of texts, with the name of its label."""

    text: str
    label: str
    text_pair: str | None = None

    @property
    def length(self) -> int:
        """Characters of both texts; rows of similar length are batched together."""
        return len(self.text) + len(self.text_pair or "")


def label_names(examples: Sequence[Example]) -> list[str]:
    """The labels in sorted order, so that the same rows always give the same numbers."""
    return sorted({example.label for example in examples})


def split(examples: Sequence[Example], share: float, seed: int) -> tuple[list[Example], list[Example]]:
    """Rows to train on and rows kept back, each label with its share; every label keeps a row to train on.

    A share above zero keeps back at least one row if any label has two. Equal rows stay together if a label has others;
    otherwise memorising would count as understanding.
    """
    drawn, by_label = random.Random(seed), defaultdict(lambda: defaultdict(list))
    for index, example in enumerate(examples):
        by_label[example.label][example.text, example.text_pair].append(index)
    back: list[int] = []
    for label in sorted(by_label):
        equal = [*by_label[label].values()]
        drawn.shuffle(equal)
        rows = sum(map(len, equal))
        back += _up_to(min(rows - 1, round(share * rows)), equal)
    if share > 0 and not back:
        most = max(by_label.values(), key=lambda texts: sum(map(len, texts.values())))
        back = _up_to(min(1, sum(map(len, most.values())) - 1), [*most.values()])
    kept_back = set(back)
    train = [example for index, example in enumerate(examples) if index not in kept_back]
    return train, [examples[index] for index in sorted(kept_back)]


def _up_to(most: int, groups: Sequence[Sequence[int]]) -> list[int]:
    """Groups with at most that many rows in total; if none fits, the smallest, or that many rows of a single one."""
    taken: list[int] = []
    for group in groups:
        if len(taken) + len(group) <= most:
            taken += group
    if most > 0 and not taken:
        return [*min(groups, key=len)] if len(groups) > 1 else [*groups[0][:most]]
    return taken


def batches(lengths: Sequence[int], batch_size: int, seed: int) -> Iterator[list[int]]:
    """Endless epochs of row indices, reshuffled each time, with rows of similar length together."""
    drawn, pool = random.Random(seed), batch_size * POOLED_BATCHES
    while True:
        order = list(range(len(lengths)))
        drawn.shuffle(order)
        epoch: list[list[int]] = []
        for start in range(0, len(order), pool):
            near = sorted(order[start : start + pool], key=lambda index: lengths[index])
            epoch += [near[at : at + batch_size] for at in range(0, len(near), batch_size)]
        drawn.shuffle(epoch)
        yield from epoch


def steps_per_epoch(rows: int, batch_size: int) -> int:
    """The number of batches per epoch in `batches`."""
    pool = batch_size * POOLED_BATCHES
    full, rest = divmod(rows, pool)
    return full * POOLED_BATCHES + -(-rest // batch_size)


def augment_example(example: Example, drawn: random.Random) -> Example:
    """The same row with its texts changed a little, each by itself."""
    pair = None if example.text_pair is None else augment(example.text_pair, drawn)
    return Example(augment(example.text, drawn), example.label, pair)


def augment(text: str, drawn: random.Random) -> str:
    """The text with a few words deleted and neighbours swapped; Chinese, which has no spaces, by characters."""
    joint = " " if " " in text.strip() else ""
    words = text.split() if joint else list(text)
    kept = [word for word in words if drawn.random() >= DELETED] or words
    for place in range(len(kept) - 1):
        if drawn.random() < SWAPPED:
            kept[place], kept[place + 1] = kept[place + 1], kept[place]
    return joint.join(kept)
