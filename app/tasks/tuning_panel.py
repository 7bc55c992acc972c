"""What the fine-tuning page needs beside the training: rows, runs in progress, a folder to take home."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.visitors import visitor_models
from app.errors import PlaygroundError
from app.settings import ROOT
from app.tasks.fine_tune import TunedRun, Tuning, run_tuning
from app.tasks.labelled_rows import Options
from app.tasks.text_table import read_file, split_lines
from app.tasks.visit_files import forget_files, new_file

Rows = list[dict[str, str]]
SAMPLES = ROOT / "assets" / "samples"
SECONDS_BETWEEN_LOOKS = 0.5


def gather_rows(lines: str, path: str | None, text_column: str | None, label_column: str | None) -> Rows:
    """Labelled texts of a file if there is one, else of the box: one a line, the label behind the last tab or bar.

    Raises:
        PlaygroundError: `bad_value`, a line without a label, a column that is not there, no table.
    """
    if path:
        table = read_file(path)
        texts, labels = table.column(text_column or ""), table.column(label_column or "")
        return [{"text": text, "label": label} for text, label in zip(texts, labels, strict=True)]
    rows = []
    for number, line in enumerate(split_lines(lines or ""), start=1):
        text, bar, label = (line.replace("\t", "|")).rpartition("|")
        if not bar:
            raise PlaygroundError("bad_value", "labelled_line", row=number)
        rows.append({"text": text.strip(), "label": label.strip()})
    return rows


@dataclass
class _Running:
    tuning: Tuning
    thread: threading.Thread | None = None
    run: TunedRun | None = None
    error: Exception | None = None


# By visitor: what can be stopped. The texts are in the thread's hands alone and go with it.
_RUNNING: dict[str, _Running] = {}
_GUARD = threading.Lock()


def start_tuning(rows: Rows, model: str, options: Options, visitor: str) -> Iterator[Tuning | TunedRun]:
    """Train in the background: where it stands, again and again; in the end the run, if it left a model.

    Raises:
        PlaygroundError: `busy`, this visitor has one running; else as `run_tuning`.
    """
    mine = _Running(Tuning())
    with _GUARD:
        if visitor in _RUNNING:
            raise PlaygroundError("busy", "own")
        _RUNNING[visitor] = mine

    def work() -> None:
        try:
            mine.run = run_tuning(rows, model, options, visitor, mine.tuning)
        except Exception as error:  # handed to the one who waits, below
            mine.error = error
        finally:
            with _GUARD:
                _RUNNING.pop(visitor, None)

    mine.thread = threading.Thread(target=work, name="fine-tuning", daemon=True)
    mine.thread.start()
    while mine.thread.is_alive():
        yield mine.tuning
        mine.thread.join(SECONDS_BETWEEN_LOOKS)
    if mine.error is not None:
        raise mine.error
    if mine.run is not None:
        yield mine.run


def stop_tuning(visitor: str) -> None:
    """End the visitor's training, if there is one; the best so far is kept."""
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None:
        running.tuning.stop.set()


def end_visit(visitor: str) -> None:
    """The visitor left: nothing of theirs goes on, nothing stays."""
    stop_tuning(visitor)
    with _GUARD:
        running = _RUNNING.get(visitor)
    if running is not None and running.thread is not None:
        running.thread.join(60.0)
    visitor_models().forget(visitor)
    forget_files(visitor)


def take_home(name: str, visitor: str, card: str) -> str:
    """The model as a folder in Hub layout, zipped; the file's path.

    Raises:
        PlaygroundError: `unknown_model`, it is not there any more.
    """
    loaded = visitor_models().get(visitor, name)
    if loaded is None:
        raise PlaygroundError("unknown_model", names=", ".join(visitor_models().names(visitor)) or "—")
    folder = new_file(visitor, name)
    with loaded.lock:
        loaded.model.save_pretrained(folder)
    loaded.text.tokenizer.save_pretrained(folder)
    (folder / "README.md").write_text(card, encoding="utf-8")
    path = shutil.make_archive(str(folder), "zip", folder.parent, name)
    shutil.rmtree(folder)
    return path


def read_sample(name: str) -> str:
    """A bundled sample set, as the box holds it: one text a line, its label behind a bar."""
    return (SAMPLES / f"{name}.txt").read_text(encoding="utf-8").strip()
