"""Labels of words: `B-place` begins an entity, `I-place` continues it, `O` is none. Knows no model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.engine.text.text_tokenizer import Encoded

OUTSIDE = "O"
# Besides begin and inside, other schemes mark the middle and the last word of an entity, and one that is a single word.
TAG = re.compile(r"([BIMELSU])[-_](.+)", re.DOTALL)
BEGINS, ENDS = frozenset("BSU"), frozenset("ELSU")

Span = tuple[int, int]


@dataclass(frozen=True)
class Entity:
    """Neighbouring words with one label: the first of them, and the one after the last."""

    first: int
    end: int
    label: str


def entities_in(tags: Iterable[str]) -> list[Entity]:
    """The entities that labels of words spell, as the script of CoNLL 2000 counts them (conlleval).

    An entity also begins where an inside label follows none, or one of another kind. Labels without a sign in front
    (parts of speech) count as inside ones: neighbours of one kind are one entity.
    """
    found: list[Entity] = []
    going = False  # does the last entity reach up to here?
    for place, tag in enumerate(tags):
        if tag == OUTSIDE:
            going = False
            continue
        sign, label = parts_of(tag)
        if going and sign not in BEGINS and found[-1].label == label:
            found[-1] = Entity(found[-1].first, place + 1, label)
        else:
            found.append(Entity(place, place + 1, label))
        going = sign not in ENDS
    return found


def parts_of(tag: str) -> tuple[str, str]:
    """Sign and kind of a label: `B-place` is B and place, `NOUN` is I and NOUN."""
    match = TAG.fullmatch(tag)
    return (match[1], match[2]) if match else ("I", tag)


def tags_of(words: Sequence[Span], entities: Iterable[tuple[int, int, str]]) -> list[str]:
    """A label for each word.

    Args:
        words: the span of each in its text, in characters.
        entities: begin, end and kind of each, in characters, none over another. A word that is in one with a part of
            it counts.
    """
    tags = [OUTSIDE] * len(words)
    for start, end, label in entities:
        inside = [place for place, (a, b) in enumerate(words) if a < end and start < b and tags[place] == OUTSIDE]
        for place in inside:
            tags[place] = f"{'B' if place == inside[0] else 'I'}-{label}"
    return tags


def first_pieces(encoded: Encoded, words: Sequence[Span]) -> list[int | None]:
    """For each word the first token that covers a part of it; None for one that the model does not see."""
    tokens = [(index, at) for index, at in enumerate(encoded.offsets) if at is not None and at[0] < at[1]]
    found: list[int | None] = []
    place = 0
    for start, end in words:
        while place < len(tokens) and tokens[place][1][1] <= start:
            place += 1
        seen = place < len(tokens) and tokens[place][1][0] < end
        found.append(tokens[place][0] if seen else None)
    return found
