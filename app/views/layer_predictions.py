"""Draws what each layer would predict: a heat map of layers and candidates for each place, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from app.results.about import About
from app.results.attention import Followed, LayerPredictionsResult
from app.views.candidates import in_percent, visible
from app.views.downloads import draw_downloads
from app.views.heading import draw_heading

Labels = Mapping[str, str]

# A causal model answers at every token; so many places are drawn.
MOST_PLACES = 24


def draw_layer_predictions(result: LayerPredictionsResult, about: About, labels: Labels) -> str:
    """One heat map per mask, or per token of a causal model."""
    maps = "".join(_place(result, at, followed, labels) for at, followed in enumerate(result.followed[:MOST_PLACES]))
    more = len(result.followed) - MOST_PLACES
    note = f"<p class='note'>{escape(labels['predictions_more'].format(count=more))}</p>" if more > 0 else ""
    return (
        f"<article class='answer predictions'>{draw_heading(about)}"
        f"<p>{escape(labels['predictions_how'])}</p>{maps}{note}"
        f"{_downloads(result)}</article>"
    )


def _downloads(result: LayerPredictionsResult) -> str:
    """Every layer's probability of the last layer's favourites, and its own first choice."""
    rows = (
        (place, layer.layer, token, followed.probabilities[at][number], first.token, first.probability)
        for place, followed in enumerate(result.followed)
        for at, layer in enumerate(result.layers)
        for first in layer.masks[place][:1]
        for number, token in enumerate(followed.candidates)
    )
    columns = ("place", "layer", "token", "probability", "first_choice", "first_choice_probability")
    tokens = [token.token for token in result.tokens]
    about = {"model": result.model, "revision": result.revision, "tokens": tokens}
    places = [followed.token_index for followed in result.followed]
    return draw_downloads(f"layer_predictions-{result.model}", columns, rows, **about, token_of_place=places)


def _place(result: LayerPredictionsResult, at: int, followed: Followed, labels: Labels) -> str:
    token = result.tokens[followed.token_index]
    read = "".join(one.token for one in result.tokens[: followed.token_index + 1])
    place = labels["predictions_mask" if token.special else "predictions_after"]
    heading = place.format(number=at + 1, text=read[-60:])
    favourite = followed.candidates[0]
    since = known_since(result, at)
    head = "".join(f"<th>{escape(visible(candidate))}</th>" for candidate in followed.candidates)
    rows = "".join(_row(result, at, layer, followed) for layer in reversed(range(len(result.layers))))
    verdict = labels["predictions_since"].format(token=visible(favourite), layer=since)
    return (
        f"<section><h4>{escape(heading)}</h4><p>{escape(verdict)}</p>"
        f"<div class='scroll'><table class='heat'><thead><tr><th>{escape(labels['predictions_layer'])}</th>{head}"
        f"<th>{escape(labels['predictions_first'])}</th></tr></thead><tbody>{rows}</tbody></table></div></section>"
    )


def known_since(result: LayerPredictionsResult, at: int) -> int:
    """The lowest layer from which on the last layer's favourite is always on top."""
    favourite = result.layers[-1].masks[at][0].token
    since = len(result.layers) - 1
    while since > 0 and result.layers[since - 1].masks[at][0].token == favourite:
        since -= 1
    return since


def _row(result: LayerPredictionsResult, at: int, layer: int, followed: Followed) -> str:
    cells = "".join(
        f"<td style='--strength:{probability:.3f}'>{in_percent(probability)}</td>"
        for probability in followed.probabilities[layer]
    )
    best = result.layers[layer].masks[at][0]
    return (
        f"<tr><th>{layer}</th>{cells}<td class='own'>{escape(visible(best.token))} "
        f"<small>{in_percent(best.probability)}</small></td></tr>"
    )
