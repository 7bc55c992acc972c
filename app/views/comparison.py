"""Draws runs side by side: settings and scores, with differences marked, and the rows they answer differently."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.results.tuning.comparison import DisputedRow, RowComparison, RunAnswer
from app.views.html import Markup, card, join, lines, table, tag, td, th, tr
from app.views.notes import draw_note
from app.views.runs import Run, method_of

Labels = Mapping[str, str]
Cell = Callable[[Run], str]
ROWS_SHOWN = 50
# For these, higher is better.
BETTER = ("accuracy", "f1", "entities")


def draw_comparison(runs: Sequence[Run], rows: RowComparison, labels: Labels) -> Markup:
    """The runs as columns, and below them the rows on which they disagree."""
    settings = (_line(key, labels[name], cell, runs) for key, name, cell in _cells(labels))
    told, drawn = tag("p", labels["compare.told"], class_="trust"), table(["", *_names(runs)], settings, class_="runs")
    return card(told, drawn, _rows(runs, rows, labels), kind="classified compared")


def _names(runs: Sequence[Run]) -> list[str]:
    return [run.result.name for run in runs]


def _cells(labels: Labels) -> list[tuple[str, str, Cell]]:
    """For each line: its key, the name of its text, and a function that gives a run's value."""
    return [
        ("base", "run.base", lambda run: run.result.model),
        ("method", "run.method", lambda run: method_of(run.options, labels)),
        ("epochs", "run.epochs", lambda run: str(run.options.epochs)),
        ("rate", "run.rate", lambda run: f"{run.options.learning_rate:g}"),
        ("batch", "run.batch", lambda run: str(run.options.batch_size)),
        ("seed", "run.seed", lambda run: str(run.options.seed)),
        ("share", "compare.share", _judged_by(labels)),
        ("rows", "compare.rows", lambda run: f"{run.result.rows:,}"),
        ("kept", "compare.kept", lambda run: f"{run.result.validation_rows:,}"),
        ("labels", "compare.labels", lambda run: ", ".join(run.result.labels)),
        ("accuracy", "run.accuracy", lambda run: _score(run, "accuracy", ".1%")),
        ("f1", "macro_f1", lambda run: _score(run, "macro_f1", ".3f")),
        ("entities", "compare.entities", lambda run: f"{run.result.entities.f1:.3f}" if run.result.entities else "–"),
        ("guessing", "baseline", lambda run: _score(run, "baseline_accuracy", ".1%")),
        ("weights", "compare.weights", lambda run: f"{run.result.trained_weights:,}"),
        ("kilobytes", "compare.kilobytes", lambda run: f"{run.result.kept_bytes / 1e3:,.0f}"),
        ("seconds", "run.seconds", lambda run: f"{run.result.seconds:.0f}"),
    ]


def _judged_by(labels: Labels) -> Cell:
    """The share kept back, or the number of folds."""
    return lambda run: (
        labels["folds"].format(folds=run.options.folds) if run.options.folds else f"{run.options.validation_share:.0%}"
    )


def _score(run: Run, name: str, how: str) -> str:
    """A score on the rows kept back; a dash if there are none."""
    return format(getattr(run.result.validation, name), how) if run.result.validation else "–"


def _line(key: str, name: str, cell: Cell, runs: Sequence[Run]) -> Markup:
    """One line, marked if the runs differ in it; nothing if no run has a value."""
    values = [cell(run) for run in runs]
    if set(values) == {"–"}:
        return Markup()
    differ = len(set(values)) > 1
    best = max(values, key=_number) if key in BETTER and differ else None
    cells = (tag("b", one) if one == best else one for one in values)
    return tr(th(name), *cells, class_=differ and "differ", data_key=key)


def _number(value: str) -> float:
    return -1.0 if value == "–" else float(value.removesuffix("%"))


def _rows(runs: Sequence[Run], rows: RowComparison, labels: Labels) -> Markup:
    title = tag("h4", labels["compare.rows_title"])
    if not rows.shared:
        return title + draw_note(labels["compare.none_shared"])
    values = {"shared": rows.shared, "differ": len(rows.disputed), "shown": ROWS_SHOWN}
    said = tag("p", labels["compare.differ" if rows.disputed else "compare.alike"].format(**values))
    if not rows.disputed:
        return title + said
    more = tag("p", labels["compare.more"].format(**values), class_="trust")
    head = (labels["text"], labels["true_label"], *_names(runs))
    body = table(head, map(_row, rows.disputed[:ROWS_SHOWN]), class_="disputed")
    return join(title, said, body, more if len(rows.disputed) > ROWS_SHOWN else "")


def _row(row: DisputedRow) -> tuple[str, ...]:
    return lines(row.text, row.text_pair), row.true, *map(_answered, row.answers)


def _answered(answer: RunAnswer) -> Markup:
    sure = "" if answer.probability is None else join(" ", tag("small", f"{answer.probability:.0%}"))
    sign, kind = ("✓", "right") if answer.right else ("✗", "wrong")
    return td(f"{sign} {answer.said}", sure, class_=kind)
