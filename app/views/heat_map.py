"""Draws a matrix: names on both axes, a number in every cell, and a colour scale with its meaning."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from app.views.plots import COLOURS, Trace, axis, figure, plain, shortened, table_of, width_of, wrapped

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

# Opaque and never dark, so that one ink is legible on all of it in light and dark mode.
PALE_TO_FULL, CELL_INK = [[0, "#eef5fa"], [1, "#4a90c4"]], "#1a1a1a"
NAME_WIDTH, SCALE_WIDTH = 18, 40
# Pixels. The colour scale is above and must not shift the axes, because plotly would not move their titles along.
ROW_HEIGHT, ABOVE, BELOW, TITLE = 44, 104, 60, 48


def plot_heat_map(
    rows: Sequence[str],
    columns: Sequence[str],
    shares: Sequence[Sequence[float | None]],
    *,
    told: str,
    name: str,
    scale: str,
    axes: tuple[str, str],
    written: Sequence[Sequence[float]] | None = None,
    outlined: Collection[tuple[int, int]] = (),
) -> Figure:
    """A heat map.

    Args:
        rows: names of the rows.
        columns: names of the columns.
        shares: [row][column], from 0 to 1; None leaves a cell empty.
        told: what the plot shows.
        name: of saved files.
        scale: what the colours mean; in per cent.
        axes: what the rows and the columns are.
        written: numbers to write in the cells instead of the shares.
        outlined: cells (row, column) to frame.
    """
    height = ABOVE + BELOW + ROW_HEIGHT * len(rows)
    title = {"text": wrapped(scale, width=SCALE_WIDTH), "x": 0, "y": 1, "yanchor": "top", "pad": {"t": 6}}
    return figure(
        [_cells(rows, columns, shares, written, height)],
        told=told,
        name=name,
        height=height,
        title={**title, "font": {"size": 14}},
        table=table_of(("", *columns), ((row, *line) for row, line in zip(rows, written or shares, strict=True))),
        margin={"l": 10, "r": 10, "t": ABOVE, "b": 10},
        xaxis=_names(columns, axes[1]),
        yaxis={**_names(rows, axes[0]), "autorange": "reversed"},
        shapes=[_frame(*cell) for cell in sorted(outlined)],
    )


def _cells(
    rows: Sequence[str],
    columns: Sequence[str],
    shares: Sequence[Sequence[float | None]],
    written: Sequence[Sequence[float]] | None,
    height: int,
) -> Trace:
    per_cent = [[None if share is None else 100 * share for share in line] for line in shares]
    said = [[f"{wrapped(row)}<br>{wrapped(column)}" for column in columns] for row in rows]
    bar = {"orientation": "h", "yref": "container", "y": 1 - TITLE / height, "yanchor": "top", "len": 0.9,
           "thickness": 8, "outlinewidth": 0, "tickvals": [0, 50, 100], "ticktext": ["0", "50", "100%"]}  # fmt: skip
    return {
        "type": "heatmap", "z": per_cent, "zmin": 0, "zmax": 100, "colorscale": PALE_TO_FULL, "colorbar": bar,
        "text": written, "texttemplate": "%{text}" if written else "%{z:.0f}", "hovertext": said,
        "textfont": {"color": CELL_INK},
        "hovertemplate": "%{hovertext}<br>" + ("%{text} · %{z:.1f}%" if written else "%{z:.1f}%") + "<extra></extra>",
        "hoverongaps": False, "xgap": 2, "ygap": 2,
    }  # fmt: skip


def _names(names: Sequence[str], title: str) -> dict[str, object]:
    """An axis of numbers with names as labels, because two shortened names may be equal."""
    ticks = {"tickvals": list(range(len(names))), "ticktext": [_short(one) for one in names]}
    return axis(plain(title), **ticks, showgrid=False, zeroline=False, fixedrange=len(names) < 3)


def _short(name: str) -> str:
    """The beginning of a name, as wide as a phone has room for beside the cells."""
    most = next((length for length in range(len(name), 0, -1) if width_of(name[:length]) <= NAME_WIDTH), len(name))
    return shortened(name, most + (most < len(name)))


def _frame(row: int, column: int) -> dict[str, object]:
    edge = {"color": COLOURS[1], "width": 3}
    return {"type": "rect", "x0": column - 0.46, "x1": column + 0.46, "y0": row - 0.44, "y1": row + 0.44, "line": edge}
