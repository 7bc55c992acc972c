"""What the fine-tuning page needs beside the training: rows, the run in progress, runs of the visit."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator

from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import for_task
from app.results.classification import LabelMap
from app.settings import ROOT
from app.tasks.classification.classify import classify
from app.tasks.classification.label_map import label_map
from app.tasks.classification.page import BAR
from app.tasks.downloads import ready_models
from app.tasks.files.language import language_of_texts
from app.tasks.files.table import read_file, split_lines
from app.tasks.fine_tune.rows import Options
from app.tasks.fine_tune.tune import TunedRun, Tuning, is_small, run_tuning
from app.visits import visits

Rows = list[dict[str, str]]
SAMPLES = ROOT / "assets" / "samples"
# A browser draws the whole curve anew each time: more often, and a long run leaves it no time for the stop button.
SECONDS_BETWEEN_LOOKS = 2.0
MAP_ROWS = 300
MOST_RUNS = 20


def small_encoders() -> list[Checkpoint]:
    """What can be trained here: encoders on this machine that are no larger than the host allows."""
    ready = ready_models("fine_tune")
    return [checkpoint for checkpoint in for_task("fine_tune") if checkpoint.name in ready and is_small(checkpoint)]


def encoder_for(language: str, chosen: str | None = None) -> str | None:
    """The chosen encoder where it knows the language; else one that does, a bundled one first, as it learns quickly."""
    knowing = [one for one in small_encoders() if one.language in (language, "multi")]
    wanted = sorted(knowing, key=lambda one: (one.name != chosen, one.source != "bundled"))
    return wanted[0].name if wanted else chosen


def language_of_lines(lines: str) -> str:
    """Of the rows in the box, whatever language their labels are in."""
    rows = [re.split(r"[|\t]", line) for line in split_lines(lines or "")]
    # Of three fields, wherever the label stands, the middle one is a text.
    return language_of_texts(fields[1 if len(fields) == 3 else 0] for fields in rows)


def encoder_for_box(lines: str, path: str | None, chosen: str | None) -> str | None:
    """One that knows the language of the rows in the box; the chosen one where a file stands in their place."""
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
    """Labelled texts, or pairs, of a file if there is one, else of the box, one a line; file options as `read_file`.

    A line is `text | label`, or `text | second text | label`; with tabs instead of bars, which the texts may then hold,
    the label may also come first, as in the files of GLUE: `label, text, second text`.

    Raises:
        PlaygroundError: `bad_value`, a line without a label or with too many parts, a column that is not there, no
            table.
    """
    if path:
        table = read_file(path, "", encoding or "", names)
        columns = [table.column(name or "") for name in (text_column, label_column)]
        seconds = table.column(pair_column) if pair_column else [""] * len(table.rows)
        return [_row(text, second, label) for text, label, second in zip(*columns, seconds, strict=True)]
    given = split_lines(lines or "")
    parts = [line.split("\t" if "\t" in line else BAR) for line in given]
    for number, fields in enumerate(parts, start=1):
        if len(fields) not in (2, 3):
            raise PlaygroundError("bad_value", "labelled_line" if len(fields) < 2 else "many_parts", row=number)
    tabbed = [fields for fields, line in zip(parts, given, strict=True) if len(fields) == 3 and "\t" in line]
    # Labels repeat, texts do not: the column with fewer different entries holds the labels.
    if tabbed and len({fields[0] for fields in tabbed}) <= len({fields[2] for fields in tabbed}):
        for fields in tabbed:
            fields.append(fields.pop(0))
    return [_row(fields[0], fields[1] if len(fields) == 3 else "", fields[-1]) for fields in parts]


def _row(text: str, second: str, label: str) -> dict[str, str]:
    """A row as `/fine_tune` takes it."""
    row = {"text": text.strip(), "label": label.strip()}
    return {**row, "text_pair": second.strip()} if second.strip() else row


class _Running:
    """A training in a thread of its own. Only the thread holds the texts; they are freed when it ends."""

    def __init__(self, rows: Rows, model: str, options: Options, visitor: str) -> None:
        self.tuning = Tuning()
        self.run: TunedRun | None = None
        self.error: Exception | None = None
        asked = (rows, model, options, visitor)
        self.thread = threading.Thread(target=self._work, args=asked, name="fine-tuning", daemon=True)

    def _work(self, rows: Rows, model: str, options: Options, visitor: str) -> None:
        try:
            self.run = run_tuning(rows, model, options, visitor, self.tuning)
            if self.run is not None:
                _remember(self.run, visitor)
        except Exception as error:  # handed to the one who waits
            self.error = error
        finally:
            with _GUARD:
                _RUNNING.pop(visitor, None)


# By visitor: what can be looked at and stopped, and what has ended.
_RUNNING: dict[str, _Running] = {}
_RUNS: dict[str, list[TunedRun]] = {}
_GUARD = threading.Lock()


def start_tuning(rows: Rows, model: str, options: Options, visitor: str) -> Iterator[Tuning | TunedRun]:
    """Train in the background: where it stands, again and again; in the end the run, if it left a model.

    Raises:
        PlaygroundError: `busy`, this visitor has one running; else as `run_tuning`.
    """
    mine = _Running(rows, model, options, visitor)
    with _GUARD:
        if visitor in _RUNNING:
            raise PlaygroundError("busy", "own")
        _RUNNING[visitor] = mine
    mine.thread.start()
    yield from _watch(mine)


def watch_tuning(visitor: str) -> Iterator[Tuning | TunedRun]:
    """The same for a page that was opened meanwhile; nothing where nothing runs."""
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None:
        yield from _watch(running)


def _watch(running: _Running) -> Iterator[Tuning | TunedRun]:
    yield running.tuning
    while running.thread.is_alive():
        running.thread.join(SECONDS_BETWEEN_LOOKS)
        yield running.tuning
    if running.error is not None:
        raise running.error
    if running.run is not None:
        yield running.run


def runs_of(visitor: str) -> list[TunedRun]:
    """What was trained in this visit, the oldest first."""
    with _GUARD:
        return [*_RUNS.get(visitor, [])]


def _remember(run: TunedRun, visitor: str) -> None:
    def drop() -> None:
        with _GUARD:
            _RUNS.pop(visitor, None)

    def take() -> None:
        with _GUARD:
            _RUNS[visitor] = [*_RUNS.get(visitor, []), run][-MOST_RUNS:]

    if visitor:  # a call without a session owns nothing
        visits().get(visitor).own("runs", drop, take)


def stop_tuning(visitor: str) -> None:
    """End the visitor's training, if there is one; the best so far is kept."""
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None:
        running.tuning.stop.set()


def before_and_after(run: TunedRun, visitor: str) -> list[LabelMap]:
    """The rows kept back as points, in the encoder and in the visitor's model of it, coloured by their true labels."""
    rows, made = run.judged[:MAP_ROWS], run.result
    answer = classify([row.text for row in rows], made.name, [row.text_pair for row in rows if made.pairs], visitor)
    return [label_map(answer, "pca", visitor, model, [row.label for row in rows]) for model in (made.model, made.name)]


def check_chosen(name: str | None) -> str:
    """The name of the visitor's model that was chosen.

    Raises:
        PlaygroundError: `bad_value`, none was.
    """
    if not name:
        raise PlaygroundError("bad_value", "no_training")
    return name


def read_sample(name: str) -> str:
    """A bundled sample set, as the box holds it: one text a line, its label behind a bar."""
    return (SAMPLES / f"{name}.txt").read_text(encoding="utf-8").strip()


def to_try(name: str) -> str:
    """Texts to ask a model that was trained on the sample set, one a line."""
    return (SAMPLES / "to_try" / f"{name}.txt").read_text(encoding="utf-8").strip()
