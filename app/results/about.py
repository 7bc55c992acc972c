"""Facts about the model behind an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class About:
    """A model's introduction on a card, in the reader's language.

    Attributes:
        name: its key in the catalog, in links and in the API.
        title: its familiar name.
        said: what it is and how far it can be trusted.
        ask: the words that open this.
    """

    name: str
    title: str
    said: str
    ask: str
