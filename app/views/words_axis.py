"""An axis along a text: one place per token, with the tokens as labels."""

from __future__ import annotations

from collections.abc import Sequence

from app.views.candidates import visible
from app.views.plots import Axis, axis, plain, shortened

WORD_LENGTH = 12


def words_axis(tokens: Sequence[str], title: str) -> Axis:
    """Places are "0", "1", ... because a text can repeat a token. Plotly leaves out labels that do not fit."""
    names = {str(place): shortened(visible(token), WORD_LENGTH) for place, token in enumerate(tokens)}
    order = {"categoryorder": "array", "categoryarray": [*names]}
    return axis(plain(title), type="category", **order, labelalias=names, showgrid=False, tickfont={"size": 12})
