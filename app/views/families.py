"""Draws the facts about the families of models, each with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.views.cards import draw_cards
from app.views.html import Markup, card, table, tag, th

Labels = Mapping[str, str]
Facts = Mapping[str, str]
ROWS = ("built", "taught", "reads", "sizes")


def draw_families(families: Sequence[Facts], labels: Labels) -> Markup:
    """A card for each family.

    Args:
        families: the entries of `families` in assets/tabs/models.json.
        labels: the tab's texts in the same language.
    """
    return draw_cards(_draw_one(facts, labels) for facts in families)


def _draw_one(facts: Facts, labels: Labels) -> Markup:
    return card(
        tag("h3", facts["name"]),
        tag("p", facts["who"], class_="trust"),
        table((), ((th(labels[f"fact.{row}"]), facts[row]) for row in ROWS)),
        tag("p", tag("a", facts["source"], href=facts["link"], target="_blank", rel="noopener")),
        data_family=facts["key"],
    )
