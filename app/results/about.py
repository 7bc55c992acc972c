"""What a reader may ask of the model behind an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class About:
    """A model as a card introduces it, in the reader's language.

    Attributes:
        name: its key in the catalog, in links and in the API.
        title: what people call it.
        said: what it is and how far it may be trusted.
        ask: the words that open this.
    """

    name: str
    title: str
    said: str
    ask: str
