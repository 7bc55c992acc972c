"""Guesses the next tokens of a text from the text itself, so that one pass can check several of them.

Texts repeat themselves: names, phrases, what a prompt gave. What followed the last two tokens when they last stood
together is a good guess at what follows now ("prompt lookup", Saxena 2023; checking guesses in one pass: Leviathan et
al. 2023, arXiv 2211.17192). A guess changes nothing in what is written: each token is still drawn from the model's own
distribution, and behind the first that differs from the guess the rest is thrown away.
"""

from __future__ import annotations

from collections.abc import Sequence


class Lookup:
    """The tokens of one text, with the place behind each pair of neighbours.

    Args:
        input_ids: the text so far.
    """

    def __init__(self, input_ids: Sequence[int]) -> None:
        self.input_ids: list[int] = []
        self._behind: dict[tuple[int, int], int] = {}
        for token_id in input_ids:
            self.add(token_id)

    def add(self, token_id: int) -> None:
        """One more token. The pair that it ends is noted with the next one, or it would be its own guess."""
        if len(self.input_ids) >= 2:
            self._behind[self.input_ids[-2], self.input_ids[-1]] = len(self.input_ids)
        self.input_ids.append(token_id)

    def guess(self, most: int) -> list[int]:
        """What may follow: so many tokens, none where the last two stand together for the first time."""
        place = self._behind.get((self.input_ids[-2], self.input_ids[-1])) if len(self.input_ids) >= 2 else None
        if place is None:
            return []
        text = list(self.input_ids[place:])
        for index in range(most - len(text)):  # a short loop goes on
            text.append(text[index])
        return text[: max(0, most)]
