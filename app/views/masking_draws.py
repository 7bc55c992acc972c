"""Draws the tokens chosen in every epoch: static masking repeats its copies, dynamic masking does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.results.attention import MaskDraw, MaskingResult
from app.views.masking import ACTIONS, summarised
from app.views.plots import Trace, axis, figure, plain, table_of
from app.views.words_axis import words_axis

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

Labels = Mapping[str, str]

# 40 epochs of 15 % of this many tokens: without WebGL, more points are slow.
DRAWN_TOKENS = 300
HEIGHT = 420
# The colours of the words in `playground.css`, and a shape for each.
LOOKS = {"mask": ("#0d9488", "square"), "random": ("#c2410c", "diamond"), "kept": ("#4f46e5", "circle")}


def plot_draws(result: MaskingResult, labels: Labels) -> list[Figure]:
    """Static and dynamic masking, with epochs downwards and tokens to the right."""
    return [
        _plot_way(result, way, draws, labels) for way, draws in (("static", result.static), ("dynamic", result.dynamic))
    ]


def _plot_way(result: MaskingResult, way: str, draws: list[MaskDraw], labels: Labels) -> Figure:
    tokens, title = result.tokens[:DRAWN_TOKENS], labels[way]
    cut = f" (1–{len(tokens)} / {len(result.tokens)})" if len(tokens) < len(result.tokens) else ""
    rows = (
        (epoch, at, result.tokens[at], action, draw.shown[at])
        for epoch, draw in enumerate(draws, start=1)
        for at, action in enumerate(draw.actions)
        if action
    )
    return figure(
        [_of_action(action, draws, tokens, labels) for action in ACTIONS],
        told=f"{labels['picture'].format(title=title)} · {summarised(result, draws, labels)}",
        name=f"masking-{way}-{result.model}",
        height=HEIGHT,
        table=table_of(("epoch", "token_index", "token", "action", "read_as"), rows, model=result.model),
        title={"text": plain(title), "x": 0, "font": {"size": 14}},
        margin={"l": 10, "r": 10, "t": 44, "b": 10},
        xaxis=words_axis(tokens, f"{labels['token']}{cut}"),
        yaxis=axis(labels["epoch"], range=[len(draws) + 0.7, 0.3], zeroline=False),
        hovermode="closest",
        showlegend=True,
    )


def _of_action(action: str, draws: list[MaskDraw], tokens: list[str], labels: Labels) -> Trace:
    chosen = [(epoch, at, draw.shown[at]) for epoch, draw in enumerate(draws, start=1)
              for at in range(len(tokens)) if draw.actions[at] == action]  # fmt: skip
    colour, symbol = LOOKS[action]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": labels[f"action.{action}"],
        "x": [str(at) for _, at, _ in chosen],
        "y": [epoch for epoch, _, _ in chosen],
        "text": [plain(f"{tokens[at]} → {shown}") for _, at, shown in chosen],
        "hovertemplate": "%{y}: %{text}<extra></extra>",
        "marker": {"color": colour, "symbol": symbol, "size": 7},
    }
