"""What all plots share: one look for light and dark, named axes, texts that stay text, exports.

A plot is a plotly `Figure`. Its description and the data to save travel in `layout.meta`, where the page's script
(`ui/components/plots.js`) finds them. Plotly itself is imported when the first plot is drawn.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from app.late_imports import importing

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Trace = dict[str, Any]
Axis = dict[str, Any]
Cell = str | float | int | bool | None

# Colours that colour-blind readers can tell apart (Okabe and Ito 2008, without their yellow, orange and black, which
# vanish on white or black), and a symbol for each, in 2D and in 3D.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7b3fa0", "#8a8a8a")
SYMBOLS = ("circle", "square", "triangle-up", "diamond", "cross", "star", "hourglass", "pentagon")
SYMBOLS_IN_SPACE = ("circle", "square", "x", "diamond", "cross", "circle-open", "square-open", "diamond-open")
# On the page, the style sheet sets the text colour of the surroundings; this one is for saved plots (JSON) and is
# legible on white and on black.
INK, GRID, CLEAR = "#7f7f7f", "rgba(128,128,128,.22)", "rgba(0,0,0,0)"
FONT = "system-ui, Segoe UI, Noto Sans, Noto Sans CJK SC, Microsoft YaHei, sans-serif"
BELOW = {"yref": "container", "y": 0, "yanchor": "bottom"}
LEGEND = {"orientation": "h", "x": 0, **BELOW, "bgcolor": CLEAR, "itemwidth": 30}
# Plotly does not wrap lines: this many letters fit beside a pointer on a phone. A Chinese character counts twice.
HOVER_WIDTH = 44
DIGITS = 8


def look_of(number: int, dimensions: int = 2) -> tuple[str, str]:
    """Colour and symbol of a class; after the eighth, colours come again with other symbols."""
    symbols = SYMBOLS if dimensions == 2 else SYMBOLS_IN_SPACE
    return COLOURS[number % len(COLOURS)], symbols[(number + number // len(COLOURS)) % len(symbols)]


def plain(text: str) -> str:
    """Text without markup for plotly, which would interpret `<b>` and `<a href>`."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def shortened(text: str, most: int = 24) -> str:
    """Text beside an axis: its beginning, without markup."""
    return plain(text if len(text) <= most else f"{text[: most - 1]}…")


def wrapped(text: str, start: int = 0, end: int = 0, width: int = HOVER_WIDTH) -> str:
    """Text for a tooltip: wrapped, without markup of its own, and bold from `start` to `end`."""
    breaks, used = set(), 0
    for match in re.finditer(r"\S+\s*|\s+", text):
        if used and used + width_of(match.group().rstrip()) > width:
            breaks.add(match.start())
            used = 0
        for at, letter in enumerate(match.group(), start=match.start()):
            if used and used + width_of(letter) > width and not letter.isspace():
                breaks.add(at)
                used = 0
            used += width_of(letter)
    return "".join(
        f"{'<br>' if at in breaks else ''}{'<b>' if at == start < end else ''}{plain(letter)}"
        f"{'</b>' if start < end == at + 1 else ''}"
        for at, letter in enumerate(text.replace("\n", " "))
    )


def width_of(text: str) -> int:
    """Width of a text in columns; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def axis(title: str, **more: Any) -> Axis:
    told = {"title": {"text": title, "standoff": 8}, "automargin": True}
    return {**told, "gridcolor": GRID, "zerolinecolor": GRID, "linecolor": GRID, **more}


def figure(
    traces: Sequence[Trace],
    *,
    told: str,
    name: str,
    height: int,
    table: Mapping[str, Any] | None,
    meta: Mapping[str, Any] | None = None,
    **layout: Any,
) -> Figure:
    """A figure that fills its column.

    Args:
        traces: plotly's traces.
        told: one sentence that describes the plot; shown below it and read by screen readers.
        name: of saved files, without extension.
        height: in pixels.
        table: content of CSV and JSON (`table_of`); None if it is only the figure's one matrix.
        meta: more for the page's script: `frames`, the plot's states with their names (Gradio drops plotly's own);
            `group`, shared by plots that change frames together; `start`, the first frame of the plot that has the
            slider.
        layout: plotly's layout.
    """
    with importing():
        from plotly.graph_objects import Figure

    text = {"family": FONT, "size": 13, "color": INK}
    base = {
        "template": "none",
        "height": height,
        "autosize": True,
        "font": text,
        "paper_bgcolor": CLEAR,
        "plot_bgcolor": CLEAR,
        "margin": {"l": 10, "r": 10, "t": 34, "b": 10},
        "legend": LEGEND,
        "modebar": {"bgcolor": CLEAR, "color": INK, "activecolor": COLOURS[0]},
        "hoverlabel": {"align": "left", "font": {"family": FONT, "size": 13}},
        "meta": {"told": told, "name": name, "table": table, **(meta or {})},
    }
    return Figure(data=list(traces), layout={**base, **layout})


def table_of(columns: Sequence[str], rows: Iterable[Sequence[Cell]], **about: object) -> dict[str, Any]:
    """Content of CSV and JSON: a table and facts about it (`model`, `text`)."""
    return {**about, "columns": list(columns), "rows": [[_digits(cell) for cell in row] for row in rows]}


def _digits(cell: Cell) -> Cell:
    """Eight digits exceed float32's precision; JSON has no infinity."""
    if isinstance(cell, float):
        return float(f"{cell:.{DIGITS}g}") if math.isfinite(cell) else None
    return cell
