"""What the classification page needs besides answers: texts and pairs from a box or file, models, a file to save."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.base import Classifier
from app.engine.heads import CLASSIFICATION
from app.engine.runtime.visitor_models import visitor_models
from app.errors import PlaygroundError
from app.results.files import LeftOut
from app.tasks.checks import check_texts
from app.tasks.classification.classify import encode_row
from app.tasks.files.columns import guess_columns
from app.tasks.files.table import read_file, split_lines
from app.visits import visits

BAR = "|"


@dataclass(frozen=True)
class Asked:
    """Texts, second texts for pairs, and their row numbers in the file or box, from 1."""

    texts: list[str]
    seconds: list[str]
    rows: list[int]


def gather(
    lines: str,
    pairs: bool,
    path: str | None = None,
    encoding: str = "",
    names: bool | None = None,
    column: str | None = None,
    second_column: str | None = None,
) -> Asked:
    """The texts of a file if there is one, else of the box; `encoding` and `names` as in `read_file`.

    Raises:
        PlaygroundError: `empty_text`; `bad_value`, a line of pairs without a bar, an unknown column, not a table.
    """
    if path:
        # The names field is only shown, and only counts, once the file was understood and a column chosen.
        table = read_file(path, "", encoding or "", names if column else None)
        kept = table.column(column or guess_columns(table.columns, table.rows)[0] or table.columns[0])
        others = table.column(second_column) if second_column else []
        filled = [place for place, text in enumerate(kept) if text.strip()]
        seconds = [others[place] for place in filled] if others else []
        return Asked([kept[place] for place in filled], seconds, [place + 1 for place in filled])
    texts = split_lines(lines or "")
    if not texts:
        raise PlaygroundError("empty_text", field="texts")
    rows = list(range(1, len(texts) + 1))
    if not pairs:
        return Asked(texts, [], rows)
    parts = [text.split(BAR) for text in texts]
    for text, part in zip(texts, parts, strict=True):
        if len(part) != 2:
            raise PlaygroundError("bad_value", "pairs", line=text[:60])
    return Asked([first.strip() for first, _ in parts], [second.strip() for _, second in parts], rows)


def leave_out_long(classifier: Classifier, asked: Asked) -> tuple[Asked, list[LeftOut]]:
    """The texts that a model can read whole, and the places of the others, so that one long row does not stop the rest.

    Raises:
        PlaygroundError: `too_long`, none is short enough; `empty_text`, `bad_value`.
    """
    check_texts(asked.texts)
    if len(asked.texts) < 2:
        return asked, []
    seconds: list[str | None] = list(asked.seconds) or [None] * len(asked.texts)
    kept: list[int] = []
    refused: list[tuple[int, PlaygroundError]] = []
    for place, (row, *pair) in enumerate(zip(asked.rows, asked.texts, seconds, strict=True)):
        try:
            encode_row(classifier, row, *pair)
            kept.append(place)
        except PlaygroundError as error:
            if error.code != "too_long":
                raise
            refused.append((row, error))
    if refused and not kept:
        raise refused[0][1]
    others = [asked.seconds[place] for place in kept] if asked.seconds else []
    readable = Asked([asked.texts[place] for place in kept], others, [asked.rows[place] for place in kept])
    left = [
        LeftOut(row, error.number("count"), error.number("limit"), "tokens" if error.reason == "row" else error.reason)
        for row, error in refused
    ]
    return readable, left


def own_models(visitor: str, *, explaining: bool = False, head: str = CLASSIFICATION) -> dict[str, str]:
    """The visitor's models: the name of each and what it was made from.

    Args:
        visitor: key of the visit.
        explaining: only those that can explain a label.
        head: only those with this head; empty for all.
    """
    kept = ((name, visitor_models().get(visitor, name)) for name in visitor_models().names(visitor))
    return {
        name: loaded.checkpoint.revision
        for name, loaded in kept
        if loaded is not None
        and (not head or head in loaded.heads)
        and (not explaining or loaded.head(CLASSIFICATION).explains)
    }


def save_file(visitor: str, name: str, content: str) -> str:
    """Save a file to download; returns its path."""
    path = visits().get(visitor).new_file(name)
    path.write_text(content, encoding="utf-8")
    return str(path)
