"""What several tests of trainings learn from."""

from __future__ import annotations

import pytest

from app.training.answers.rows import Asked


@pytest.fixture
def rows() -> list[Asked]:
    """Questions about who went where: each passage names one of either."""
    made = []
    for who in ("dog", "player", "artist", "cat", "bank", "river"):
        for place in ("house", "city", "garden", "water"):
            passage = f"The {who} went to the {place} and was happy."
            start = passage.index(place)
            made.append(Asked(passage, f"Where was the {who}?", (start, start + len(place))))
            made.append(Asked(passage, f"Who went to the {place}?", (4, 4 + len(who))))
    return made
