"""Draws labels of texts: bars for one text, a table for many, models side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.results.about import About
from app.results.classification import ONE, Classified, ClassifyResult, Labelled, LabelScore
from app.results.files import LeftOut
from app.views.candidates import in_percent
from app.views.downloads import draw_downloads
from app.views.heading import draw_card, draw_heading
from app.views.html import Markup, bar, bars, card, join, lines, table, tag, th, tr
from app.views.notes import draw_note

Labels = Mapping[str, str]
# The page shows this many rows; only the file has the rest.
ROWS_SHOWN = 200
# At most this many left-out rows are named.
ROWS_NAMED = 10


def draw_classified(result: ClassifyResult, about: About, labels: Labels, note: str = "") -> Markup:
    """One model's labels for one text as an article, with a remark if there is one."""
    (entry,) = result.results
    drawn = draw_label_bars(entry.labels, labels, entry.kind) + nameless_note(entry, labels)
    return draw_card(about, drawn, _downloads([result]), model=result.model, note=note)


def draw_label_bars(entries: Sequence[Labelled], labels: Labels, kind: str = ONE) -> Markup:
    """All labels in order of probability or score, and a note if they do not add up to one."""
    rows = (bar(one.label, _share(one), value_of(one), data_label=one.label) for one in entries)
    return bars(labels["bars"], rows) + draw_note("" if kind == ONE else labels[f"kind.{kind}"])


def _share(entry: Labelled) -> float | None:
    """The length of a bar; a score has none."""
    return None if isinstance(entry, LabelScore) else entry.probability


def value_of(entry: Labelled, digits: int = 1) -> str:
    """A probability in per cent, or a score as it is."""
    if isinstance(entry, LabelScore):
        return f"{entry.score:.3f}"
    return in_percent(entry.probability, digits).replace(" ", "\u00a0")


def nameless_note(entry: Classified, labels: Labels) -> Markup:
    """A remark if the checkpoint's author gave the labels no names."""
    nameless = all(one.label.startswith("class ") and one.label[6:].isdecimal() for one in entry.labels)
    return draw_note(labels["nameless"] if nameless else "")


def draw_table(
    results: Sequence[ClassifyResult], abouts: Sequence[About], labels: Labels, remarks: Sequence[str] = ()
) -> Markup:
    """Texts as rows, models as columns."""
    head = ["", labels["text_column"], *(th(about.title, scope="col", title=about.said) for about in abouts)]
    count = min(len(result.results) for result in results)
    more = labels["more_rows"].format(shown=ROWS_SHOWN, count=count) if count > ROWS_SHOWN else ""
    kinds = dict.fromkeys(result.kind for result in results if result.kind != ONE)
    return card(
        *map(draw_heading, abouts),
        *(tag("p", labels[f"kind.{kind}"], class_="trust") for kind in kinds),
        draw_note(*remarks),
        table(head, (_row(place, results) for place in range(min(count, ROWS_SHOWN)))),
        tag("p", more, class_="trust"),
        _downloads(results),
        kind="classified",
    )


def draw_left_out(left: Sequence[LeftOut], model: str, labels: Labels) -> Markup:
    """The rows that were left out, if any."""
    if not left:
        return Markup()
    rows = [
        labels[f"left_out_{one.unit}"].format(row=one.row, count=one.count, limit=one.limit)
        for one in left[:ROWS_NAMED]
    ]
    if len(left) > ROWS_NAMED:
        rows.append(labels["left_out_more"].format(count=len(left) - ROWS_NAMED))
    return draw_note(labels["left_out"].format(model=model, rows="; ".join(rows)))


def _downloads(results: Sequence[ClassifyResult]) -> Markup:
    """Every label of the drawn texts; the tab's file covers all texts."""
    rows = (
        (result.model, entry.whole, one.label, number_of(one))
        for result in results
        for entry in result.results[:ROWS_SHOWN]
        for one in entry.labels
    )
    return draw_downloads("classification", ("model", "text", "label", "probability"), rows)


def _row(place: int, results: Sequence[ClassifyResult]) -> Markup:
    answers = [result.results[place] for result in results]
    differ = len({answer.verdict for answer in answers}) > 1
    return tr(place + 1, answers[0].whole, *map(_cell, answers), class_=differ and "differ")


def _cell(answer: Classified) -> Markup:
    """The labels that hold, each with its value; if none does, the nearest one."""
    if not answer.holding:
        nearest = answer.labels[0]
        return join("— ", tag("small", f"({nearest.label} {value_of(nearest, 0)})"))
    return lines(*(join(tag("b", entry.label), f" {value_of(entry, 0)}") for entry in answer.holding))


def number_of(entry: Labelled) -> float:
    return entry.score if isinstance(entry, LabelScore) else entry.probability


def table_rows(results: Sequence[ClassifyResult]) -> tuple[list[str], list[list[str]]]:
    """The same for a file: column names, and rows with every label's probability or score."""
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
