"""What the fine-tuning page needs besides training: rows, encoders, samples."""

from __future__ import annotations

import re
from typing import Any

from app.errors import PlaygroundError
from app.results.classification import LabelMap
from app.settings import ROOT
from app.tasks.classification.classify import classify
from app.tasks.classification.label_map import label_map
from app.tasks.classification.page import BAR
from app.tasks.files.language import language_of_texts
from app.tasks.files.table import decode_file, read_file, split_lines
from app.tasks.fine_tune.starting import ENCODERS, starting_points
from app.tasks.fine_tune.tag_rows import tagged_lines
from app.tasks.fine_tune.tune import TunedRun

Rows = list[dict[str, Any]]
SAMPLES = ROOT / "assets" / "samples"
# The sample sets, and the one shown first in each language.
SETS = ("opinions", "opinions_zh", "films", "questions", "pairs", "pairs_zh", "names", "names_zh")
FIRST = {"en": "opinions", "zh-CN": "opinions_zh"}
MAP_ROWS = 300


def encoder_for(language: str, chosen: str | None = None) -> str | None:
    """The chosen model if it knows the language; else an encoder that does, preferably a bundled one (fast)."""
    knowing = [one for one in starting_points() if one.language in (language, "multi")]
    wanted = sorted(knowing, key=lambda one: (one.name != chosen, one.family not in ENCODERS, one.source != "bundled"))
    return wanted[0].name if wanted else chosen


def language_of_lines(lines: str) -> str:
    """The language of the rows in the box, ignoring their labels."""
    rows = [re.split(r"[|\t]", line) for line in split_lines(lines or "")]
    # The middle one of three fields is always a text.
    return language_of_texts(fields[1 if len(fields) == 3 else 0] for fields in rows)


def encoder_for_box(lines: str, path: str | None, chosen: str | None) -> str | None:
    """An encoder that knows the language of the rows in the box; if a file replaces them, the chosen one."""
    return chosen if path else encoder_for(language_of_lines(lines), chosen)


def gather_rows(
    lines: str,
    path: str | None = None,
    encoding: str = "",
    names: bool | None = None,
    text_column: str | None = None,
    pair_column: str | None = None,
    label_column: str | None = None,
) -> Rows:
    """Labelled texts, pairs, or texts whose words have labels, from a file if there is one, else from the box's lines.

    File options are as in `read_file`.

    A line is `text | label` or `text | second text | label`. With tabs instead of bars, the texts may contain bars, and
    the label may come first, as in the files of GLUE: `label, text, second text`. For labels of words see `tag_rows`.

    Raises:
        PlaygroundError: `bad_value`, a line without a label or with too many parts, an unknown column, or not a table.
    """
    tagged = tagged_lines(decode_file(path, "", encoding or "").text if path else lines or "")
    if tagged is not None:
        return tagged
    if path:
        table = read_file(path, "", encoding or "", names)
        if not text_column or not label_column:  # none was likely enough to be chosen for the visitor
            raise PlaygroundError("bad_value", "columns", choices=", ".join(table.columns))
        columns = [table.column(name) for name in (text_column, label_column)]
        seconds = table.column(pair_column) if pair_column else [""] * len(table.rows)
        return [_row(text, second, label) for text, label, second in zip(*columns, seconds, strict=True)]
    given = split_lines(lines or "")
    parts = [line.split("\t" if "\t" in line else BAR) for line in given]
    for number, fields in enumerate(parts, start=1):
        if len(fields) not in (2, 3):
            raise PlaygroundError("bad_value", "labelled_line" if len(fields) < 2 else "many_parts", row=number)
    tabbed = [fields for fields, line in zip(parts, given, strict=True) if len(fields) == 3 and "\t" in line]
    # Labels repeat and texts do not, so the column with fewer different entries holds the labels.
    if tabbed and len({fields[0] for fields in tabbed}) <= len({fields[2] for fields in tabbed}):
        for fields in tabbed:
            fields.append(fields.pop(0))
    return [_row(fields[0], fields[1] if len(fields) == 3 else "", fields[-1]) for fields in parts]


def _row(text: str, second: str, label: str) -> dict[str, Any]:
    """A row in the form that `/fine_tune` takes."""
    row = {"text": text.strip(), "label": label.strip()}
    return {**row, "text_pair": second.strip()} if second.strip() else row


def before_and_after(run: TunedRun, visitor: str) -> list[LabelMap]:
    """The rows kept back as points, coloured by their true labels, in the base encoder and in the visitor's model.

    Raises:
        PlaygroundError: `bad_value`, the model has no vectors of its own.
    """
    rows, made = run.judged[:MAP_ROWS], run.result
    seconds = [row.text_pair for row in rows if made.pairs and row.text_pair is not None]
    answer = classify([row.text for row in rows], made.name, seconds, visitor)
    after, before = (
        label_map(answer, "pca", visitor, model, [row.label for row in rows]) for model in (made.name, made.model)
    )
    return [before, after]


def why_no_map(run: TunedRun | None) -> str:
    """Key of the sentence on why a run has no map: there is no run, it labels words, or few rows were kept back."""
    if run is None:
        return "fewer"
    return "map_tags" if run.tagged else "map_few"


def check_chosen(name: str | None) -> str:
    """Return the chosen name of one of the visitor's models.

    Raises:
        PlaygroundError: `bad_value`, none was chosen.
    """
    if not name:
        raise PlaygroundError("bad_value", "no_training")
    return name


def read_sample(name: str) -> str:
    """A bundled sample set in the form of the box: one text per line, its label after a bar."""
    return (SAMPLES / f"{name}.txt").read_text(encoding="utf-8").strip()


def to_try(name: str) -> str:
    """Texts to try on a model trained on the sample set, one per line."""
    return (SAMPLES / "to_try" / f"{name}.txt").read_text(encoding="utf-8").strip()
