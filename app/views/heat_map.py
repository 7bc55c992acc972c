"""Draws a matrix of probabilities as a table of coloured cells: reads at 390 px, in dark mode and by screen readers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape


def draw_heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    caption: str,
    outlined: Collection[tuple[int, int]] = (),
) -> str:
    """A heat map.

    Args:
        rows: their headings.
        columns: their headings.
        values: probabilities [row][column]; None leaves a cell empty.
        caption: what a cell means.
        outlined: cells (row, column) to be framed.
    """
    head = "".join(f"<th scope='col'>{escape(column)}</th>" for column in columns)
    body = "".join(
        f"<tr><th scope='row'>{escape(name)}</th>{_cells(row, line, outlined)}</tr>"
        for line, (name, row) in enumerate(zip(rows, values, strict=True))
    )
    return (
        f"<figure><div class='scroll'><table class='pair-heat' aria-label='{escape(caption)}'>"
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _cells(row: Sequence[float | None], line: int, outlined: Collection[tuple[int, int]]) -> str:
    return "".join(
        "<td class='none'></td>"
        if value is None
        else f"<td class='cell{' path' if (line, column) in outlined else ''}' style='--strength:{value:.3f}' "
        f"title='{value:.1%}'>{100 * value:.0f}</td>"
        for column, value in enumerate(row)
    )
