"""Draws labels of texts: bars for one text, a table for many, models side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.results.about import About
from app.results.classification import ONE, Classified, ClassifyResult, Labelled, LabelScore
from app.results.files import LeftOut
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading
from app.views.notes import draw_note

Labels = Mapping[str, str]
# More rows than this are only in the file.
ROWS_SHOWN = 200
# Rows that were left out are named up to so many.
ROWS_NAMED = 10


def draw_classified(result: ClassifyResult, about: About, labels: Labels, note: str = "") -> str:
    """One model's labels for one text as an article; with a remark on it, if there is one."""
    (entry,) = result.results
    return (
        f"<article class='answer' data-model='{escape(result.model)}'>"
        f"{draw_heading(about)}{draw_note(note)}"
        f"{draw_label_bars(entry.labels, labels, entry.kind)}{nameless_note(entry, labels)}"
        f"{_downloads([result])}</article>"
    )


def draw_label_bars(entries: Sequence[Labelled], labels: Labels, kind: str = ONE) -> str:
    """All labels by falling probability, or with their scores; and a sentence where they are no shares of one whole."""
    rows = "".join(
        f"<li data-label='{escape(entry.label)}'><span class='word'>{escape(entry.label)}</span>"
        f"<span class='track'>{_fill(entry)}</span><span class='value'>{value_of(entry)}</span></li>"
        for entry in entries
    )
    note = "" if kind == ONE else f"<p class='note'>{escape(labels[f'kind.{kind}'])}</p>"
    return f"<ol class='bars' aria-label='{escape(labels['bars'])}'>{rows}</ol>{note}"


def _fill(entry: Labelled) -> str:
    """A bar as long as the probability; a score has no length."""
    if isinstance(entry, LabelScore):
        return ""
    return f"<span class='fill' style='width:{entry.probability * 100:.2f}%'></span>"


def value_of(entry: Labelled, digits: int = 1) -> str:
    """A probability in per cent, or a score as it is."""
    if isinstance(entry, LabelScore):
        return f"{entry.score:.3f}"
    return f"{entry.probability * 100:.{digits}f}&nbsp;%"


def nameless_note(entry: Classified, labels: Labels) -> str:
    """Where the checkpoint's author gave the labels no names, that is said."""
    nameless = all(one.label.startswith("class ") and one.label[6:].isdecimal() for one in entry.labels)
    return f"<p class='note'>{escape(labels['nameless'])}</p>" if nameless else ""


def draw_table(
    results: Sequence[ClassifyResult], abouts: Sequence[About], labels: Labels, remarks: Sequence[str] = ()
) -> str:
    """Many texts down, models across."""
    head = "".join(f"<th scope='col' title='{escape(about.said)}'>{escape(about.title)}</th>" for about in abouts)
    count = min(len(result.results) for result in results)
    rows = "".join(_row(place, results) for place in range(min(count, ROWS_SHOWN)))
    more = labels["more_rows"].format(shown=ROWS_SHOWN, count=count) if count > ROWS_SHOWN else ""
    kinds = dict.fromkeys(result.kind for result in results if result.kind != ONE)
    notes = "".join(
        [draw_heading(about) for about in abouts]
        + [f"<p class='trust'>{escape(labels[f'kind.{kind}'])}</p>" for kind in kinds]
        + [draw_note(one) for one in remarks]
    )
    return (
        f"<article class='answer classified'>{notes}<div class='scroll'><table><thead><tr><th></th>"
        f"<th scope='col'>{escape(labels['text_column'])}</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p class='trust'>{escape(more)}</p>{_downloads(results)}</article>"
    )


def draw_left_out(left: Sequence[LeftOut], model: str, labels: Labels) -> str:
    """Which rows were left out; nothing where none was."""
    if not left:
        return ""
    rows = [
        labels[f"left_out_{one.unit}"].format(row=one.row, count=one.count, limit=one.limit)
        for one in left[:ROWS_NAMED]
    ]
    if len(left) > ROWS_NAMED:
        rows.append(labels["left_out_more"].format(count=len(left) - ROWS_NAMED))
    return draw_note(labels["left_out"].format(model=model, rows="; ".join(rows)))


def _downloads(results: Sequence[ClassifyResult]) -> str:
    """Every label of the texts that are drawn; the file of the tab has all of them."""
    rows = (
        (result.model, entry.whole, one.label, number_of(one))
        for result in results
        for entry in result.results[:ROWS_SHOWN]
        for one in entry.labels
    )
    return draw_downloads("classification", ("model", "text", "label", "probability"), rows)


def _row(place: int, results: Sequence[ClassifyResult]) -> str:
    answers = [result.results[place] for result in results]
    differ = " class='differ'" if len({answer.verdict for answer in answers}) > 1 else ""
    cells = "".join(f"<td>{_cell(answer)}</td>" for answer in answers)
    return f"<tr{differ}><td>{place + 1}</td><td>{escape(results[0].results[place].whole)}</td>{cells}</tr>"


def _cell(answer: Classified) -> str:
    """The labels that hold, each with its value; the nearest to it where none does."""
    if not answer.holding:
        return f"— <small>({escape(answer.labels[0].label)} {value_of(answer.labels[0], 0)})</small>"
    return "<br>".join(f"<b>{escape(entry.label)}</b> {value_of(entry, 0)}" for entry in answer.holding)


def number_of(entry: Labelled) -> float:
    """The probability or the score."""
    return entry.score if isinstance(entry, LabelScore) else entry.probability


def table_rows(results: Sequence[ClassifyResult]) -> tuple[list[str], list[list[str]]]:
    """The same for a file: column names and rows, every label's probability or score with it."""
    pairs = any(entry.text_pair is not None for entry in results[0].results)
    columns, names = ["text", "text_pair"] if pairs else ["text"], []
    for result in results:
        names.append(sorted(entry.label for entry in result.results[0].labels))
        columns += [f"{result.model}: label", *(f"{result.model}: {name}" for name in names[-1])]
    rows = []
    for place in range(min(len(result.results) for result in results)):
        row = list(results[0].results[place].parts)
        for result, known in zip(results, names, strict=True):
            values = {entry.label: number_of(entry) for entry in result.results[place].labels}
            row += [result.results[place].verdict, *(f"{values[name]:.6f}" for name in known)]
        rows.append(row)
    return columns, rows
