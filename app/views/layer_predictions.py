"""Draws what each layer would predict: for each place, a heat map of layers and candidates, as a table."""

from __future__ import annotations

from collections.abc import Mapping

from app.results.about import About
from app.results.attention import Followed, LayerPredictionsResult
from app.views.candidates import in_percent, visible
from app.views.downloads import draw_downloads
from app.views.heading import draw_card
from app.views.html import Markup, section, table, tag, td, th
from app.views.notes import draw_note

Labels = Mapping[str, str]

# A causal model answers at every token; at most this many are drawn.
MOST_PLACES = 24


def draw_layer_predictions(result: LayerPredictionsResult, about: About, labels: Labels) -> Markup:
    """One heat map per mask, or per token of a causal model."""
    maps = (_place(result, at, followed, labels) for at, followed in enumerate(result.followed[:MOST_PLACES]))
    more = len(result.followed) - MOST_PLACES
    note = draw_note(labels["predictions_more"].format(count=more) if more > 0 else "")
    how = tag("p", labels["predictions_how"])
    return draw_card(about, how, *maps, note, _downloads(result), kind="predictions")


def _downloads(result: LayerPredictionsResult) -> Markup:
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


def _place(result: LayerPredictionsResult, at: int, followed: Followed, labels: Labels) -> Markup:
    token = result.tokens[followed.token_index]
    read = "".join(one.token for one in result.tokens[: followed.token_index + 1])
    place = labels["predictions_mask" if token.special else "predictions_after"]
    heading = place.format(number=at + 1, text=read[-60:])
    favourite = followed.candidates[0]
    since = known_since(result, at)
    verdict = labels["predictions_since"].format(token=visible(favourite), layer=since)
    head = [labels["predictions_layer"], *map(visible, followed.candidates), labels["predictions_first"]]
    rows = (_row(result, at, layer, followed) for layer in reversed(range(len(result.layers))))
    return section(heading, tag("p", verdict), table(head, rows, class_="heat"))


def known_since(result: LayerPredictionsResult, at: int) -> int:
    """The lowest layer from which the last layer's favourite stays on top."""
    favourite = result.layers[-1].masks[at][0].token
    since = len(result.layers) - 1
    while since > 0 and result.layers[since - 1].masks[at][0].token == favourite:
        since -= 1
    return since


def _row(result: LayerPredictionsResult, at: int, layer: int, followed: Followed) -> list[Markup]:
    shares, best = followed.probabilities[layer], result.layers[layer].masks[at][0]
    own = td(visible(best.token), " ", tag("small", in_percent(best.probability)), class_="own")
    return [th(layer), *(td(in_percent(share), style=f"--strength:{share:.3f}") for share in shares), own]
