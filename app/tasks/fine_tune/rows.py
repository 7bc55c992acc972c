"""Checks of a visitor's training data: labelled texts and options. Labels are text: `007` stays `007`."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.base import TokenEncoder
from app.engine.text.text_tokenizer import TextTokenizer
from app.errors import PlaygroundError
from app.settings import settings
from app.tasks.checks import check_number, check_text, check_whole_number, is_number
from app.tasks.unknown import unknown_in_row
from app.training.labelled import Example

LONGEST_LABEL, MOST_LABELS, MOST_ROWS_PER_STEP = 100, 50, 64
# The methods with the learning rates that suit small encoders and some hundred rows: the fewer weights are trained, the
# larger the steps may be.
RATE_OF = {"full": 1e-3, "frozen": 3e-3, "lora": 2e-3, "mix": 1e-2}
# A regression is solved without steps.
METHODS = (*RATE_OF, "regression")
CLASS_WEIGHTS = ("", "balanced")
MOST_FOLDS = 10


@dataclass(frozen=True)
class Options:
    """How to train; see `app.training.fine_tune.Plan`.

    With `folds`, the model learns from all rows, and that many others are trained to be judged, each on the rows it did
    not see. With `cut`, rows that are too long are cut instead of refused.
    """

    epochs: int = 3
    learning_rate: float = 2e-4
    seed: int = 0
    validation_share: float = 0.2
    batch_size: int = 16
    method: str = "full"
    augment: bool = False
    from_scratch: bool = False
    class_weight: str = ""
    folds: int = 0
    cut: bool = False


def check_examples(examples: object) -> list[Example]:
    """Return texts or pairs of texts with their labels if there are at least two labels.

    Raises:
        PlaygroundError: `bad_value`, not a list of `{text, label}`, an empty label, only one label, too many labels, a
            second text in only some rows; `empty_text`; `too_long`, too many rows or characters.
    """
    if not isinstance(examples, list | tuple):
        raise PlaygroundError("bad_value", "examples")
    if len(examples) > settings().tuned_rows:
        raise PlaygroundError("too_long", "rows", count=len(examples), limit=settings().tuned_rows)
    rows = [_row(number, example) for number, example in enumerate(examples, start=1)]
    labels = {row.label for row in rows}
    if len(labels) < 2:
        raise PlaygroundError("bad_value", "one_label")
    if len(labels) > MOST_LABELS:
        raise PlaygroundError("bad_value", "many_labels", count=len(labels), limit=MOST_LABELS)
    lone = [number for number, row in enumerate(rows, start=1) if row.text_pair is None]
    if lone and len(lone) < len(rows):
        raise PlaygroundError("bad_value", "mixed_pairs", row=lone[0], count=len(lone))
    return rows


def _row(number: int, example: object) -> Example:
    if not isinstance(example, dict) or not {"text", "label"} <= example.keys():
        raise PlaygroundError("bad_value", "examples")
    text, second = check_text(example["text"], f"row {number}"), example.get("text_pair")
    if second is not None:
        second = check_text(second, f"row {number}", required=False)
    return Example(text, _label(number, example["label"]), second if second and second.strip() else None)


def _label(number: int, label: object) -> str:
    """The label's name: text as it is, numbers as they are written (1.0, which JSON clients send for 1, as `1`)."""
    if is_number(label):
        label = str(int(label) if label == int(label) else label)
    if not isinstance(label, str) or not label.strip() or len(label) > LONGEST_LABEL:
        raise PlaygroundError("bad_value", "label", row=number, limit=LONGEST_LABEL)
    return label.strip()


def check_options(options: Options) -> Options:
    """Return the options if they are in their ranges.

    Raises:
        PlaygroundError: `bad_value`, naming the field and its range.
    """
    if options.method not in METHODS:
        raise PlaygroundError("bad_value", "choice", field="method", choices=", ".join(METHODS))
    if options.class_weight not in CLASS_WEIGHTS:
        raise PlaygroundError("bad_value", "class_weight")
    if options.folds != 0:
        check_whole_number(options.folds, "folds", 2, MOST_FOLDS)
    return Options(
        epochs=check_whole_number(options.epochs, "epochs", 1, settings().tuned_epochs),
        learning_rate=check_number(options.learning_rate, "learning_rate", 1e-7, 0.1),
        seed=check_whole_number(options.seed, "seed", 0, 2**31 - 1),
        validation_share=check_number(options.validation_share, "validation_share", 0.0, 0.5),
        batch_size=check_whole_number(options.batch_size, "batch_size", 1, MOST_ROWS_PER_STEP),
        method=options.method,
        augment=bool(options.augment),
        from_scratch=bool(options.from_scratch),
        class_weight=options.class_weight,
        folds=int(options.folds),
        cut=bool(options.cut),
    )


@dataclass(frozen=True)
class Reading:
    """How an encoder reads the rows."""

    cut_rows: int  # rows longer than it reads
    unknown_share: float  # share of pieces outside its vocabulary


def check_reading(text: TextTokenizer, limit: int, rows: list[Example], cut: bool = False) -> Reading:
    """Refuse rows in which nothing can be read, and, unless they may be cut, those that are too long.

    Args:
        text: the model's tokenizer.
        limit: maximum tokens of a row.
        rows: all rows.
        cut: whether longer ones may be cut.

    Raises:
        PlaygroundError: `too_long` or `empty_text`, naming the row.
    """
    longer, unknown, pieces = 0, 0, 0
    for number, row in enumerate(rows, start=1):
        encoded = text.encode(row.text, row.text_pair)
        read = {side for side in encoded.sequence_ids if side is not None}
        if read != ({0} if row.text_pair is None else {0, 1}):
            raise PlaygroundError("empty_text", field=f"row {number}")
        count = len(encoded.input_ids)
        if count > limit and not cut:
            raise PlaygroundError("too_long", "row", row=number, count=count, limit=limit)
        longer += count > limit
        unknown += sum(token_id == text.unknown_id for token_id in encoded.input_ids)
        pieces += sum(side is not None for side in encoded.sequence_ids)
    return Reading(longer, unknown / pieces)


def check_words(encoder: TokenEncoder, rows: list[Example], cut: bool = False) -> Reading:
    """The same for models that read words: static vectors skip words they do not have.

    Raises:
        PlaygroundError: `too_long`, naming the row.
    """
    longer, missing, words = 0, 0, 0
    for number, row in enumerate(rows, start=1):
        read = encoder.encode(row.text)
        if len(read.offsets) > encoder.max_tokens and not cut:
            raise PlaygroundError("too_long", "row", row=number, count=len(read.offsets), limit=encoder.max_tokens)
        longer += len(read.offsets) > encoder.max_tokens
        lost = sum(len(one.text) for one in unknown_in_row(encoder, read, row.text))
        missing, words = missing + lost, words + len(row.text)
    return Reading(longer, missing / words)
