"""The kind of rows a visitor sends: texts, pairs, or texts whose words have labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import PlaygroundError
from app.tasks.fine_tune.rows import Options, check_examples
from app.tasks.fine_tune.tag_rows import are_tagged, check_tagged
from app.training.labelled import Example
from app.training.tags.rows import TaggedText

TEXT, PAIR, TAGS = "text", "pair", "tags"
KINDS = (TEXT, PAIR, TAGS)


@dataclass(frozen=True)
class Rows:
    """Checked rows; for tags, `examples` has only the texts."""

    kind: str
    examples: list[Example]
    tagged: Sequence[TaggedText] = ()

    @property
    def pairs(self) -> bool:
        """Whether they are pairs of texts."""
        return self.kind == PAIR


def kind_of(examples: object) -> str:
    """The kind of the rows by their form: tags or texts, single ones or pairs."""
    if are_tagged(examples):
        return TAGS
    first = examples[0] if isinstance(examples, list | tuple) and examples else None
    return PAIR if isinstance(first, dict) and str(first.get("text_pair") or "").strip() else TEXT


def check_rows(examples: object, kind: str = "") -> Rows:
    """Return the rows if they are of the given kind; an empty kind means the one their form suggests.

    Raises:
        PlaygroundError: `bad_value`, no such kind, or rows of another one; else as `check_examples` or `check_tagged`.
    """
    if kind not in ("", *KINDS):
        raise PlaygroundError("bad_value", "choice", field="kind", choices=", ".join(KINDS))
    if (kind or kind_of(examples)) == TAGS:
        tagged = check_tagged(examples)
        return Rows(TAGS, [Example(row.text, "") for row in tagged], tagged)
    rows = check_examples(examples)
    said = TEXT if rows[0].text_pair is None else PAIR
    if kind not in ("", said):
        raise PlaygroundError("bad_value", "other_kind", kind=kind, said=said)
    return Rows(said, rows)


def check_fitting(rows: Rows, options: Options) -> None:
    """Refuse options that do not suit the rows.

    Raises:
        PlaygroundError: `bad_value`: rows whose words have labels cannot be augmented, weighted or split into folds, or
            a label has fewer different rows than there are folds.
    """
    if rows.kind == TAGS:
        asked = {"no_augment": options.augment, "no_class_weight": options.class_weight, "no_folds": options.folds}
        for key in (key for key, on in asked.items() if on):
            raise PlaygroundError("bad_value", key)
    if options.folds:
        label, count = fewest_different(rows.examples)
        if count < options.folds:
            raise PlaygroundError("bad_value", "few_for_folds", label=label, count=count, folds=options.folds)


def fewest_different(rows: Sequence[Example]) -> tuple[str, int]:
    """The label with the fewest distinct rows, and their number, which limits the number of folds."""
    counts = Counter(row.label for row in dict.fromkeys(rows))
    return min(counts.items(), key=lambda one: (one[1], one[0]))
