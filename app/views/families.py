"""Draws the facts about the families of models, each with its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.views.cards import draw_cards
from app.views.downloads import draw_downloads

Labels = Mapping[str, str]
Facts = Mapping[str, str]
ROWS = ("built", "taught", "reads", "sizes")


def draw_families(families: Sequence[Facts], labels: Labels) -> str:
    """A card for each family.

    Args:
        families: the entries of `families` in assets/tabs/models.json.
        labels: the tab's texts in the same language.
    """
    return draw_cards(_draw_one(facts, labels) for facts in families)


def _draw_one(facts: Facts, labels: Labels) -> str:
    rows = "".join(
        f"<tr><th scope='row'>{escape(labels[f'fact.{row}'])}</th><td>{escape(facts[row])}</td></tr>" for row in ROWS
    )
    source = f"<a href='{escape(facts['link'])}' target='_blank' rel='noopener'>{escape(facts['source'])}</a>"
    return (
        f"<article class='answer' data-family='{escape(facts['key'])}'><h3>{escape(facts['name'])}</h3>"
        f"<p class='trust'>{escape(facts['who'])}</p><table><tbody>{rows}</tbody></table><p>{source}</p>"
        f"{draw_downloads(facts['key'], tuple(facts), [tuple(facts.values())])}</article>"
    )
