"""The start page's cards: the models in the order of their years, and the links for those who know what they want."""

from __future__ import annotations

import gradio as gr

from app.ui.texts import in_every_language, texts
from app.ui.ways.navigation import link_to
from app.views.html import Markup, join, listed, tag

# What each model does to a text, 64 by 32; `b` is a word, `g` a gap, `l` a line.
WORD = Markup("<rect class='b' x='{x}' y='{y}' width='{w}' height='6' rx='2'/>")
GAP = Markup("<rect class='g' x='{x}' y='{y}' width='{w}' height='6' rx='2'/>")


def _row(y: int, gap: int = -1, words: int = 4) -> Markup:
    return join(*((GAP if at == gap else WORD).format(x=2 + 15 * at, y=y, w=12) for at in range(words)))


PICTURES = {
    # Two places of a word, one point.
    "word2vec": _row(2, 1)
    + _row(24, 2)
    + Markup("<path class='l' d='M23 9 32 14M38 23 33 18'/><circle class='g' cx='32' cy='16' r='3'/>"),
    # Read from the left, and from the right.
    "elmo": _row(13) + Markup("<path class='l' d='M4 6H56l-4-3m4 3-4 3M60 26H8l4-3m-4 3 4 3'/>"),
    "bert": _row(18, 2) + Markup("<path class='l' d='M8 15q0-9 26-9v8m-3-3 3 3 3-3M54 15q0-9-16-9'/>"),
    "gpt2": _row(13, 3) + Markup("<path class='l' d='M8 9q20-10 42 1m-4 0 4 0 0-4'/>"),
    "roberta": _row(2, 1) + _row(13, 3) + _row(24, 0),
    # The same layer repeated.
    "albert": _row(13, -1, 3) + Markup("<path class='l' d='M46 10h6a6 6 0 0 1 0 12h-6m3-3-3 3 3 3'/>"),
    # As large as the one before, in much later years.
    "smollm2": Markup(
        "<rect class='l' x='4' y='5' width='22' height='22' rx='3'/>"
        "<rect class='g' x='38' y='5' width='22' height='22' rx='3'/>"
    ),
}


def road(slug: str) -> gr.HTML:
    """The models as cards that lead into the tabs."""
    return gr.HTML(in_every_language(lambda language: _road(slug, language)), elem_id=f"{slug}-road")


def doors(slug: str) -> gr.HTML:
    """Ways in for people with different plans; one leads to the description of the endpoints, which Gradio opens."""
    return gr.HTML(in_every_language(lambda language: _doors(slug, language)), elem_id=f"{slug}-doors")


def _road(slug: str, language: str) -> Markup:
    said = texts(slug)[language]
    cards = listed("ol", (_stop(card, language) for card in said["road"]), class_="road")
    return tag("h2", said["road_title"]) + cards


def _stop(card: dict[str, str], language: str) -> Markup:
    picture = tag("svg", PICTURES[card["picture"]], viewBox="0 0 64 32", aria_hidden="true")
    year, name = tag("span", card["year"], class_="year"), tag("strong", card["name"])
    return link_to(card["tab"], language, year, " ", name, " ", picture, " ", tag("span", card["claim"]))


def _doors(slug: str, language: str) -> Markup:
    said = texts(slug)[language]
    links = (_door(door, language) for door in said["doors"])
    ways = listed("ul", links, class_="doors", aria_label=said["doors_title"])
    return join(ways, tag("p", said["private"], class_="private"))


def _door(door: dict[str, str], language: str) -> Markup:
    inside = join(tag("strong", door["name"]), " ", tag("span", door["said"]))
    if "tab" in door:
        return link_to(door["tab"], language, inside)
    return tag("a", inside, href=f"?view=api&lang={language}", class_="api")
