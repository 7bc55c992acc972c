"""Draws labels of texts: bars for one text, a table for many, models side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.results_classification import Classified, ClassifyResult
from app.results_pairs import LabelProbability
from app.views.downloads import draw_downloads
from app.views.notes import draw_note

Labels = Mapping[str, str]
# More rows than this are only in the file.
ROWS_SHOWN = 200


def draw_classified(result: ClassifyResult, trust: str, labels: Labels, note: str = "") -> str:
    """One model's labels for one text as an article; with a remark on it, if there is one."""
    (entry,) = result.results
    return (
        f"<article class='answer' data-model='{escape(result.model)}'><h3>{escape(result.model)}</h3>"
        f"<p class='trust'>{escape(trust)}</p>{draw_note(note)}"
        f"{draw_label_bars(entry.labels, labels)}{nameless_note(entry, labels)}"
        f"{_downloads([result])}</article>"
    )


def draw_label_bars(entries: Sequence[LabelProbability], labels: Labels) -> str:
    """All labels by falling probability."""
    rows = "".join(
        f"<li data-label='{escape(entry.label)}'><span class='word'>{escape(entry.label)}</span>"
        f"<span class='track'><span class='fill' style='width:{entry.probability * 100:.2f}%'></span></span>"
        f"<span class='value'>{entry.probability * 100:.1f} %</span></li>"
        for entry in entries
    )
    return f"<ol class='bars' aria-label='{escape(labels['bars'])}'>{rows}</ol>"


def nameless_note(entry: Classified, labels: Labels) -> str:
    """Where the checkpoint's author gave the labels no names, that is said."""
    nameless = all(one.label.startswith("class ") and one.label[6:].isdecimal() for one in entry.labels)
    return f"<p class='note'>{escape(labels['nameless'])}</p>" if nameless else ""


def draw_table(
    results: Sequence[ClassifyResult], trusts: Sequence[str], labels: Labels, remarks: Sequence[str] = ()
) -> str:
    """Many texts down, models across."""
    head = "".join(
        f"<th scope='col' title='{escape(trust)}'>{escape(result.model)}</th>"
        for result, trust in zip(results, trusts, strict=True)
    )
    count = min(len(result.results) for result in results)
    rows = "".join(_row(place, results) for place in range(min(count, ROWS_SHOWN)))
    more = labels["more_rows"].format(shown=ROWS_SHOWN, count=count) if count > ROWS_SHOWN else ""
    notes = "".join([f"<p class='trust'>{escape(trust)}</p>" for trust in trusts] + [draw_note(one) for one in remarks])
    return (
        f"<article class='answer classified'>{notes}<div class='scroll'><table><thead><tr><th></th>"
        f"<th scope='col'>{escape(labels['text_column'])}</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
        f"<p class='trust'>{escape(more)}</p>{_downloads(results)}</article>"
    )


def _downloads(results: Sequence[ClassifyResult]) -> str:
    """Every label of the texts that are drawn; the file of the tab has all of them."""
    rows = (
        (result.model, entry.whole, one.label, one.probability)
        for result in results
        for entry in result.results[:ROWS_SHOWN]
        for one in entry.labels
    )
    return draw_downloads("classification", ("model", "text", "label", "probability"), rows)


def _row(place: int, results: Sequence[ClassifyResult]) -> str:
    best = [result.results[place].labels[0] for result in results]
    differ = " class='differ'" if len({entry.label for entry in best}) > 1 else ""
    cells = "".join(f"<td><b>{escape(entry.label)}</b> {entry.probability * 100:.0f}&nbsp;%</td>" for entry in best)
    return f"<tr{differ}><td>{place + 1}</td><td>{escape(results[0].results[place].whole)}</td>{cells}</tr>"


def table_rows(results: Sequence[ClassifyResult]) -> tuple[list[str], list[list[str]]]:
    """The same for a file: column names and rows, every label's probability with it."""
    pairs = any(entry.text_pair is not None for entry in results[0].results)
    columns, names = ["text", "text_pair"] if pairs else ["text"], []
    for result in results:
        names.append(sorted(entry.label for entry in result.results[0].labels))
        columns += [f"{result.model}: label", *(f"{result.model}: {name}" for name in names[-1])]
    rows = []
    for place in range(min(len(result.results) for result in results)):
        row = list(results[0].results[place].parts)
        for result, known in zip(results, names, strict=True):
            shares = {entry.label: entry.probability for entry in result.results[place].labels}
            row += [result.results[place].labels[0].label, *(f"{shares[name]:.6f}" for name in known)]
        rows.append(row)
    return columns, rows
