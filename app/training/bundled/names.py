"""The bundled taggers: the kinds of names, the sentences that they learn and are measured on, and how well they do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from app.engine.base import Tagger
from app.engine.text.tags import OUTSIDE, Entity, entities_in, first_pieces, tags_of
from app.engine.text.words import split_words
from app.training.tags.rows import TaggedText, read_brackets, score_entities, tagged_text


@dataclass(frozen=True)
class NameSet:
    """Sentences with names in brackets, written for this project.

    Attributes:
        language: of the sentences.
        kinds: of names.
        learnt: file in `assets` with the sentences to train on.
        held_out: file in `assets` with those that are only measured on.
        golden: texts whose answers are pinned.
    """

    language: str
    kinds: tuple[str, ...]
    learnt: str
    held_out: str
    golden: tuple[str, ...]

    @property
    def files(self) -> list[str]:
        """What is learnt from."""
        return [self.learnt]


NAMES = NameSet(
    language="en",
    kinds=("person", "place", "organisation"),
    learnt="everyday/names_en.txt",
    held_out="evaluation/names_en.txt",
    golden=(
        "Marie Curie was born in Warsaw and worked in Paris.",
        "On Monday Peter Brown takes the train from Leeds to London.",
        "The apple fell from the tree, but Apple opened a shop in Berlin.",
        "Priya works for the Bank of England.",
        "Nobody was in the garden.",
    ),
)
CHINESE_NAMES = NameSet(
    language="zh",
    kinds=("人名", "地名", "机构名"),
    learnt="everyday/names_zh.txt",
    held_out="evaluation/names_zh.txt",
    golden=(
        "李明星期一从北京坐火车去上海。",
        "鲁迅出生在绍兴，后来在厦门大学教书。",
        "王小红在杭州开了一家书店。",
        "她在中国银行上班。",
        "花园里一个人也没有。",
    ),
)


def read_names(path: Path) -> list[TaggedText]:
    """The rows of a file: a sentence a line, names in brackets, `[Ada](person) lives in [London](place)`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [tagged_text(*read_brackets(line)) for line in lines if line.strip()]


def measure_names(tagger: Tagger, learnt: Sequence[TaggedText], held_out: Sequence[TaggedText]) -> dict[str, Any]:
    """Whole names found in rows that had no part in training, next to looking up those of the training rows."""
    known, true = names_in(learnt), [row.tags for row in held_out]
    found = [[label for label, _ in label_words(tagger, row.text)] for row in held_out]
    # Of the names that no training row has, whether each was found.
    unseen = [one in entities_in(tags) for row, tags in zip(held_out, found, strict=True)
              for one in entities_in(row.tags) if words_of(row, one) not in known]  # fmt: skip
    return asdict(score_entities(true, found)) | {
        "rows": len(held_out),
        "names": sum(len(entities_in(tags)) for tags in true),
        "unseen": len(unseen),
        "unseen_recall": sum(unseen) / max(len(unseen), 1),
        "looked_up": score_entities(true, [look_up(row, known) for row in held_out]).f1,
    }


def label_words(tagger: Tagger, text: str) -> list[tuple[str, float]]:
    """The most probable label of each word, and its probability."""
    encoded = tagger.text.encode(text)
    ((_, logits),) = tagger.tag_logits([encoded])
    shares, best = torch.tensor(logits).softmax(dim=-1).max(dim=-1)  # [token]
    pieces = first_pieces(encoded, [(start, end) for _, start, end in split_words(text)])
    return [(OUTSIDE, 1.0) if at is None else (tagger.labels[int(best[at])], float(shares[at])) for at in pieces]


def golden_names(tagger: Tagger, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Each text with the label of every word and its probability, to four places."""
    made = []
    for text in texts:
        labels, shares = zip(*label_words(tagger, text), strict=True)
        made.append({"text": text, "labels": [*labels], "probabilities": [round(share, 4) for share in shares]})
    return made


def names_in(rows: Sequence[TaggedText]) -> dict[tuple[str, ...], str]:
    """The names of the rows, as words, each with the kind that it mostly is."""
    counted: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for row in rows:
        for one in entities_in(row.tags):
            counted[words_of(row, one)][one.label] += 1
    return {words: kinds.most_common(1)[0][0] for words, kinds in counted.items()}


def words_of(row: TaggedText, entity: Entity) -> tuple[str, ...]:
    """The words of an entity of a row."""
    return tuple(row.text[start:end] for start, end in row.words[entity.first : entity.end])


def look_up(row: TaggedText, names: dict[tuple[str, ...], str]) -> list[str]:
    """The labels of a text's words by names that are known, the longest first."""
    words = [row.text[start:end] for start, end in row.words]
    longest, place, found = max(map(len, names)), 0, []
    while place < len(words):
        ends = range(min(place + longest, len(words)), place, -1)
        end = next((end for end in ends if tuple(words[place:end]) in names), None)
        if end is not None:
            found.append((row.words[place][0], row.words[end - 1][1], names[tuple(words[place:end])]))
        place = place + 1 if end is None else end
    return tags_of(row.words, found)
