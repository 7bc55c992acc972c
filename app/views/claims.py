"""Draws common misconceptions about the models, each with the tab that shows the truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.views.html import Markup, tag


def draw_claims(claims: Sequence[Mapping[str, str]], labels: Mapping[str, str]) -> Markup:
    """A list of claims, each followed by the truth.

    Args:
        claims: the entries of `claims` in assets/tabs/models.json.
        labels: the tab's texts in the same language.
    """
    return tag("dl", *(_draw_one(claim, labels["see_it"]) for claim in claims), class_="claims")


def _draw_one(claim: Mapping[str, str], see_it: str) -> Markup:
    link = tag("a", see_it, href=f"?tab={claim['tab']}", data_tab=claim["tab"])
    return tag("div", tag("dt", claim["claim"]), tag("dd", claim["truth"], " ", link))
