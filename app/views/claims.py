"""Draws what is often said of the models and is not so, each with the tab that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape


def draw_claims(claims: Sequence[Mapping[str, str]], labels: Mapping[str, str]) -> str:
    """A list of claims, each struck by what is so.

    Args:
        claims: the entries of `claims` in assets/tabs/models.json.
        labels: the tab's texts in the same language.
    """
    return f"<dl class='claims'>{''.join(_draw_one(claim, labels['see_it']) for claim in claims)}</dl>"


def _draw_one(claim: Mapping[str, str], see_it: str) -> str:
    tab = escape(claim["tab"])
    link = f"<a href='?tab={tab}' data-tab='{tab}'>{escape(see_it)}</a>"
    return f"<div><dt>{escape(claim['claim'])}</dt><dd>{escape(claim['truth'])} {link}</dd></div>"
