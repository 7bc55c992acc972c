"""Draws runs side by side: settings and scores, those that differ marked; and the rows that they answer differently."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

from app.results.comparison import DisputedRow, RowComparison, RunAnswer
from app.views.runs import Run, method_of

Labels = Mapping[str, str]
Cell = Callable[[Run], str]
ROWS_SHOWN = 50
# The higher of these is the better.
BETTER = ("accuracy", "f1", "entities")


def draw_comparison(runs: Sequence[Run], rows: RowComparison, labels: Labels) -> str:
    """The runs as columns; below them the rows that they do not answer alike."""
    names = "".join(f"<th scope='col'>{escape(run.result.name)}</th>" for run in runs)
    lines = "".join(_line(key, labels[name], cell, runs) for key, name, cell in _cells(labels))
    return (
        f"<article class='answer classified compared'><p class='trust'>{escape(labels['compare.told'])}</p>"
        f"<div class='scroll'><table class='runs'><thead><tr><th></th>{names}</tr></thead><tbody>{lines}</tbody>"
        f"</table></div>{_rows(runs, rows, labels)}</article>"
    )


def _cells(labels: Labels) -> list[tuple[str, str, Cell]]:
    """Of each line a key, the name of its text, and what it says of a run."""
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
    """The share kept back, or the folds."""
    return lambda run: (
        labels["folds"].format(folds=run.options.folds) if run.options.folds else f"{run.options.validation_share:.0%}"
    )


def _score(run: Run, name: str, how: str) -> str:
    """On the rows kept back; a dash where there are none."""
    return format(getattr(run.result.validation, name), how) if run.result.validation else "–"


def _line(key: str, name: str, cell: Cell, runs: Sequence[Run]) -> str:
    """One line, marked where the runs differ in it; nothing where none of them has anything to say."""
    values = [cell(run) for run in runs]
    if set(values) == {"–"}:
        return ""
    best = max(values, key=_number) if key in BETTER and len(set(values)) > 1 else None
    cells = "".join(f"<td>{f'<b>{escape(one)}</b>' if one == best else escape(one)}</td>" for one in values)
    differs = " class='differ'" if len(set(values)) > 1 else ""
    return f"<tr{differs} data-key='{key}'><th scope='row'>{escape(name)}</th>{cells}</tr>"


def _number(value: str) -> float:
    return -1.0 if value == "–" else float(value.removesuffix("%"))


def _rows(runs: Sequence[Run], rows: RowComparison, labels: Labels) -> str:
    title = f"<h4>{escape(labels['compare.rows_title'])}</h4>"
    if not rows.shared:
        return f"{title}<p class='note'>{escape(labels['compare.none_shared'])}</p>"
    values = {"shared": rows.shared, "differ": len(rows.disputed), "shown": ROWS_SHOWN}
    said = escape(labels["compare.differ" if rows.disputed else "compare.alike"].format(**values))
    if not rows.disputed:
        return f"{title}<p>{said}</p>"
    more = f"<p class='trust'>{escape(labels['compare.more'].format(**values))}</p>"
    names = "".join(f"<th scope='col'>{escape(run.result.name)}</th>" for run in runs)
    head = f"<th scope='col'>{escape(labels['text'])}</th><th scope='col'>{escape(labels['true_label'])}</th>{names}"
    body = "".join(_row(row) for row in rows.disputed[:ROWS_SHOWN])
    return (
        f"{title}<p>{said}</p><div class='scroll'><table class='disputed'><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table></div>{more if len(rows.disputed) > ROWS_SHOWN else ''}"
    )


def _row(row: DisputedRow) -> str:
    text = "<br>".join(escape(part) for part in (row.text, row.text_pair) if part is not None)
    return f"<tr><td>{text}</td><td>{escape(row.true)}</td>{''.join(map(_answered, row.answers))}</tr>"


def _answered(answer: RunAnswer) -> str:
    sure = "" if answer.probability is None else f" <small>{answer.probability:.0%}</small>"
    sign, kind = ("✓", "right") if answer.right else ("✗", "wrong")
    return f"<td class='{kind}'>{sign} {escape(answer.said)}{sure}</td>"
