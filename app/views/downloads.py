"""Draws the buttons that save a plot: its visible state as PNG and SVG, its numbers as CSV and JSON.

The numbers are in the page beside the buttons; the browser makes the files (`ui/components/downloads.js`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from app.views.html import Markup, tag
from app.views.plots import Cell, table_of

KINDS = ("png", "svg", "csv", "json")


def draw_downloads(
    name: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, plot: str = "", **about: object
) -> Markup:
    """The buttons, to be put into the article or figure that they save.

    Args:
        name: of the files, without extension.
        columns: names of the table's columns.
        rows: the table.
        plot: CSS selector of the drawing, if it is not the element around the buttons.
        about: what the JSON has besides the table (`model`, `text`); plain JSON.
    """
    buttons = (tag("button", kind.upper(), type="button", data_save=kind) for kind in KINDS)
    data = json.dumps(table_of(columns, rows, **about), ensure_ascii=False, separators=(",", ":"))
    return tag("div", *buttons, class_="downloads", data_name=name, data_plot=plot, data_table=data)
