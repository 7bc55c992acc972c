"""The numbers beside a plot: complete, escaped, finite; every view that draws an answer has them."""

from __future__ import annotations

import html
import json
import math
import re
from pathlib import Path

from app.views.downloads import draw_downloads


def table_of(drawn: str) -> dict:
    """What the page has beside the buttons."""
    return json.loads(html.unescape(re.search(r"data-table='([^']*)'", drawn).group(1)))


def test_numbers_go_whole_and_finite() -> None:
    drawn = draw_downloads("n", ("a", "b"), [(1 / 3, 7), (-math.inf, "x"), (None, True)], model="m")
    assert table_of(drawn) == {
        "model": "m",
        "columns": ["a", "b"],
        "rows": [[0.33333333, 7], [None, "x"], [None, True]],
    }
    assert [f"data-save='{kind}'" in drawn for kind in ("png", "svg", "csv", "json")] == [True] * 4


def test_what_a_visitor_wrote_stays_text() -> None:
    evil = "'><script>alert(1)</script>\""
    drawn = draw_downloads(evil, (evil,), [(evil,)], plot=evil, text=evil)
    assert "<script" not in drawn
    assert table_of(drawn)["rows"] == [[evil]]


VIEWS = Path(__file__).resolve().parents[2] / "app" / "views"
# Views that draw an article with nothing to plot in it; curves of trainings and races are plots of their own.
NO_PLOT = {"runs", "comparison", "fine_tune", "race", "lessons"}


def test_every_view_that_draws_an_answer_has_its_downloads() -> None:
    """A view that draws an article offers its picture and its numbers."""
    lacking = []
    for path in sorted(VIEWS.glob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "<article class='answer" in source and "draw_downloads(" not in source and path.stem not in NO_PLOT:
            lacking.append(path.name)
    assert lacking == []
