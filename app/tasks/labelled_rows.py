"""Checks of labelled texts that a visitor sends to train on. Labels are text, whatever they look like: `007` stays."""

from __future__ import annotations

import math

from app.errors import PlaygroundError
from app.settings import settings
from app.tasks.checks import check_text

LONGEST_LABEL, MOST_LABELS = 100, 50


def check_examples(examples: object) -> list[tuple[str, str]]:
    """Texts with their labels, if at least two labels are among them.

    Raises:
        PlaygroundError: `bad_value`, no list of `{text, label}`, an empty label, one label only, too many labels;
            `empty_text`; `too_long`, too many rows or characters.
    """
    if not isinstance(examples, list | tuple):
        raise PlaygroundError("bad_value", "examples")
    if len(examples) > settings().tuned_rows:
        raise PlaygroundError("too_long", "rows", count=len(examples), limit=settings().tuned_rows)
    rows = [_row(number, example) for number, example in enumerate(examples, start=1)]
    labels = {label for _, label in rows}
    if len(labels) < 2:
        raise PlaygroundError("bad_value", "one_label")
    if len(labels) > MOST_LABELS:
        raise PlaygroundError("bad_value", "many_labels", count=len(labels), limit=MOST_LABELS)
    return rows


def _row(number: int, example: object) -> tuple[str, str]:
    if not isinstance(example, dict) or not {"text", "label"} <= example.keys():
        raise PlaygroundError("bad_value", "examples")
    return check_text(example["text"], f"row {number}"), _label(number, example["label"])


def _label(number: int, label: object) -> str:
    """A name for the label: text as it is, numbers as they are written (1.0, as JSON clients send 1, as `1`)."""
    if isinstance(label, float) and math.isfinite(label) and label == int(label):
        label = int(label)
    if isinstance(label, int | float) and not isinstance(label, bool) and math.isfinite(label):
        label = str(label)
    if not isinstance(label, str) or not label.strip() or len(label) > LONGEST_LABEL:
        raise PlaygroundError("bad_value", "label", row=number, limit=LONGEST_LABEL)
    return label.strip()
