"""Texts whose words have labels, for fine-tuning: rows kept back, names of labels, scores of whole entities."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.text.tags import OUTSIDE, Entity, Span, entities_in, parts_of, tags_of
from app.engine.text.words import split_words
from app.results.tuning.fine_tune import EntityScores, TypeScores

BRACKETS = re.compile(r"\[([^\[\]\n]+)\]\(([^()\[\]\n]+)\)")
# Begin, end and kind of an entity, in characters.
Marked = tuple[int, int, str]


@dataclass(frozen=True)
class TaggedText:
    """A text, the spans of its words, and the label of each."""

    text: str
    words: tuple[Span, ...]
    tags: tuple[str, ...]

    @property
    def length(self) -> int:
        """Number of characters; rows of similar length are batched together."""
        return len(self.text)


def read_brackets(line: str) -> tuple[str, list[Marked]]:
    """`[Ada](person) lives in [London](place)` without its brackets, and the entities that they marked."""
    text, behind, entities = "", 0, list[Marked]()
    for match in BRACKETS.finditer(line):
        text += line[behind : match.start()]
        entities.append((len(text), len(text) + len(match[1]), match[2].strip()))
        text, behind = text + match[1], match.end()
    return text + line[behind:], entities


def tagged_text(text: str, entities: Iterable[Marked]) -> TaggedText:
    """A text and its entities, none over another, as words with labels."""
    words = tuple((start, end) for _, start, end in split_words(text))
    return TaggedText(text, words, tuple(tags_of(words, entities)))


def tag_names(rows: Sequence[TaggedText]) -> list[str]:
    """The labels in sorted order, after the one for words outside all entities."""
    found = {tag for row in rows for tag in row.tags} - {OUTSIDE}
    return [OUTSIDE, *sorted(found)]


def kinds_in(tags: Sequence[str]) -> set[str]:
    """The kinds of entities among the labels."""
    return {parts_of(tag)[1] for tag in tags if tag != OUTSIDE}


def split_tagged(rows: Sequence[TaggedText], share: float, seed: int) -> tuple[list[TaggedText], list[TaggedText]]:
    """Rows to train on and rows kept back.

    Equal texts stay together, every kind of entity keeps a row to train on, and a share above zero keeps back at least
    one row if another one remains.
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for index, row in enumerate(rows):
        groups[row.text].append(index)
    drawn = [*groups.values()]
    random.Random(seed).shuffle(drawn)
    left = {
        kind: sum(kind in kinds_in(row.tags) for row in rows) for kind in {k for r in rows for k in kinds_in(r.tags)}
    }
    most, back = max(1, round(share * len(rows))) if share > 0 else 0, set[int]()
    for group in drawn:
        taken = {kind: sum(kind in kinds_in(rows[index].tags) for index in group) for kind in left}
        if len(back) + len(group) <= most and all(left[kind] > count for kind, count in taken.items() if count):
            back.update(group)
            left = {kind: count - taken[kind] for kind, count in left.items()}
    if len(back) == len(rows):
        return [*rows], []
    train = [row for index, row in enumerate(rows) if index not in back]
    return train, [rows[index] for index in sorted(back)]


def score_entities(true: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> EntityScores:
    """Precision, recall and F1 of whole entities, as counted by CoNLL 2000's script.

    An entity is right if a true one has the same words and the same kind.

    Args:
        true: the labels of each text's words.
        predicted: the model's labels.
    """
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])  # right, predicted, true
    for right, found in zip(true, predicted, strict=True):
        there, said = set[Entity](entities_in(right)), set[Entity](entities_in(found))
        for place, entities in enumerate((there & said, said, there)):
            for entity in entities:
                counts[entity.label][place] += 1
    types = [TypeScores(kind, *_shares(*counts[kind]), counts[kind][2]) for kind in sorted(counts)]
    total = [sum(one[place] for one in counts.values()) for place in range(3)]
    return EntityScores(*_shares(*total), types)


def _shares(right: int, predicted: int, true: int) -> tuple[float, float, float]:
    """Precision, recall, F1; 0 if there is nothing to count."""
    precision, recall = right / predicted if predicted else 0.0, right / true if true else 0.0
    return precision, recall, 2 * right / (predicted + true) if predicted + true else 0.0
