"""Rows whose words have labels: from a box, a file or a program, converted into training data.

On the page, a row is a sentence with brackets, `[Ada](person) lives in [London](place)`, or CoNLL lines: a word and its
label per line, and an empty line after each sentence. A program may also send entities with their positions, or words
with their labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from app.engine.text.tags import OUTSIDE, entities_in
from app.errors import PlaygroundError
from app.results.expressions.writing import CJK
from app.settings import settings
from app.tasks.checks import check_text, is_number
from app.tasks.fine_tune.rows import LONGEST_LABEL, MOST_LABELS
from app.training.tags.rows import BRACKETS, TaggedText, kinds_in, read_brackets, tagged_text

Row = dict[str, Any]
CONLL_TAG = re.compile(r"O|[BIMELSU]-\S+")
CHINESE = re.compile(f"[{CJK}\u3000-\u303f\uff00-\uffef]")


def tagged_lines(written: str) -> list[Row] | None:
    """Bracketed or CoNLL lines as rows for `/fine_tune`; None if they are neither."""
    lines = written.splitlines()
    if (sentences := _conll(lines)) is not None:
        return [_of_words(words, tags) for words, tags in sentences]
    filled = [line.strip() for line in lines if line.strip()]
    if any(BRACKETS.search(line) for line in filled) and not any("|" in line or "\t" in line for line in filled):
        return [_of_brackets(line) for line in filled]
    return None


def _conll(lines: Sequence[str]) -> list[tuple[list[str], list[str]]] | None:
    """Sentences as words and labels: the first and last of several columns."""
    sentences: list[tuple[list[str], list[str]]] = [([], [])]
    for line in lines:
        fields = line.split()
        if not fields or fields[0] == "-DOCSTART-":
            sentences.append(([], []))
        elif len(fields) < 2 or CONLL_TAG.fullmatch(fields[-1]) is None:
            return None
        else:
            sentences[-1][0].append(fields[0])
            sentences[-1][1].append(fields[-1])
    filled = [sentence for sentence in sentences if sentence[0]]
    return filled or None


def _of_words(words: Sequence[str], tags: Sequence[str]) -> Row:
    """The words as one text, with spaces except between Chinese words."""
    text, spans = "", list[tuple[int, int]]()
    for word in words:
        apart = text and not (CHINESE.match(text[-1]) and CHINESE.match(word[:1]))
        text += f" {word}" if apart else word
        spans.append((len(text) - len(word), len(text)))
    found = entities_in(tags)
    entities = [{"start": spans[e.first][0], "end": spans[e.end - 1][1], "label": e.label} for e in found]
    return {"text": text, "entities": entities}


def _of_brackets(line: str) -> Row:
    text, marked = read_brackets(line)
    return {"text": text, "entities": [dict(zip(("start", "end", "label"), one, strict=True)) for one in marked]}


def are_tagged(examples: object) -> bool:
    """Whether the rows label words; rows with brackets and no label of their own do."""
    if not isinstance(examples, list | tuple):
        return False
    return any(isinstance(row, dict) and (_has_tags(row) or _has_brackets(row)) for row in examples)


def _has_tags(row: Row) -> bool:
    return "entities" in row or {"words", "tags"} <= row.keys()


def _has_brackets(row: Row) -> bool:
    text = row.get("text")
    return "label" not in row and isinstance(text, str) and BRACKETS.search(text) is not None


def check_tagged(examples: object) -> list[TaggedText]:
    """Return texts with a label for each word, `B-place`, `I-place` or `O`, if they contain an entity.

    Raises:
        PlaygroundError: `bad_value`, malformed rows, an entity outside its text or overlapping another one, no entity
            at all, too many kinds; `empty_text`; `too_long`, too many rows or characters.
    """
    if not isinstance(examples, list | tuple):
        raise PlaygroundError("bad_value", "tagged_rows")
    if len(examples) > settings().tuned_rows:
        raise PlaygroundError("too_long", "rows", count=len(examples), limit=settings().tuned_rows)
    rows = [_checked(number, row) for number, row in enumerate(examples, start=1)]
    kinds = set().union(*(kinds_in(row.tags) for row in rows))
    if not kinds:
        raise PlaygroundError("bad_value", "no_entity")
    if len(kinds) > MOST_LABELS:
        raise PlaygroundError("bad_value", "many_labels", count=len(kinds), limit=MOST_LABELS)
    return rows


def _checked(number: int, row: object) -> TaggedText:
    if not isinstance(row, dict):
        raise PlaygroundError("bad_value", "tagged_rows")
    if {"words", "tags"} <= row.keys():
        row = _of_words(*_same_many(number, row["words"], row["tags"]))
    text = check_text(row.get("text"), f"row {number}")
    if "entities" not in row:
        row = _of_brackets(text)
        text = check_text(row["text"], f"row {number}")
    made = tagged_text(text, _entities(number, row["entities"], text))
    if not made.words:
        raise PlaygroundError("empty_text", field=f"row {number}")
    return made


def _same_many(number: int, words: object, tags: object) -> tuple[list[str], list[str]]:
    if not isinstance(words, list | tuple) or not isinstance(tags, list | tuple) or len(words) != len(tags):
        raise PlaygroundError("bad_value", "words_and_tags", row=number)
    if not all(isinstance(one, str) and one.strip() for one in (*words, *tags)):
        raise PlaygroundError("bad_value", "words_and_tags", row=number)
    return [check_text(word, f"row {number}") for word in words], [tag.strip() for tag in tags]


def _entities(number: int, given: object, text: str) -> Iterable[tuple[int, int, str]]:
    """Entities in the order of the text."""
    if not isinstance(given, list | tuple):
        raise PlaygroundError("bad_value", "tagged_rows")
    found = sorted((_entity(number, one, text) for one in given), key=lambda one: one[:2])
    for (_, end, _), (start, _, _) in pairwise(found):
        if start < end:
            raise PlaygroundError("bad_value", "entity_place", row=number, length=len(text))
    return found


def _entity(number: int, given: object, text: str) -> tuple[int, int, str]:
    if not isinstance(given, dict) or not {"start", "end", "label"} <= given.keys():
        raise PlaygroundError("bad_value", "tagged_rows")
    start, end, label = given["start"], given["end"], given["label"]
    whole = all(is_number(one) and one == int(one) for one in (start, end))
    if not whole or not 0 <= start < end <= len(text):
        raise PlaygroundError("bad_value", "entity_place", row=number, length=len(text))
    if not isinstance(label, str) or not label.strip() or len(label) > LONGEST_LABEL or label.strip() == OUTSIDE:
        raise PlaygroundError("bad_value", "label", row=number, limit=LONGEST_LABEL)
    return int(start), int(end), label.strip()
