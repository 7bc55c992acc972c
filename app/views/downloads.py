"""Draws the buttons that save a plot: as PNG and SVG what is seen of it, as CSV and JSON its numbers.

The numbers stand beside the buttons; the files are made in the browser (`ui/components/downloads.js`).
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
    """The buttons, to be put inside the article or figure that they save.

    Args:
        name: of the files, without their ending.
        columns: names of the table's columns.
        rows: the table.
        plot: CSS selector of what is drawn, if that is not what the buttons stand in.
        about: what the JSON says beside the table (`model`, `text`); plain JSON.
    """
    buttons = (tag("button", kind.upper(), type="button", data_save=kind) for kind in KINDS)
    data = json.dumps(table_of(columns, rows, **about), ensure_ascii=False, separators=(",", ":"))
    return tag("div", *buttons, class_="downloads", data_name=name, data_plot=plot, data_table=data)
