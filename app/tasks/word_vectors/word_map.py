"""A map: words of several groups on the plane along which they differ most, and any other word placed on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.analysis.projection import plane
from app.analysis.similarity import unit_rows
from app.results.word_vectors import PlacedWord, WordMap
from app.tasks.word_vectors.vocabulary import check_listed, open_vectors


def word_map(groups: Mapping[str, Sequence[str]], word: str, model: str) -> WordMap:
    """Principal components of the groups' words; words without a vector are left out.

    Args:
        groups: words by the name of their group.
        word: placed on the plane too, without changing it.
        model: catalog name.

    Raises:
        PlaygroundError: as `word_vectors`.
    """
    vectors = open_vectors(model, word)
    listed = check_listed(vectors, word)
    known = [(group, one) for group, words in groups.items() for one in words if vectors.place(one) is not None]
    rows = unit_rows(vectors.vectors([*(one for _, one in known), listed]))
    points, explained = plane(rows[:-1], rows)
    placed = [
        PlacedWord(one, group, float(x), float(y))
        for (group, one), (x, y) in zip([*known, ("", listed)], points, strict=True)
    ]
    return WordMap(vectors.checkpoint.name, placed[:-1], explained, placed[-1])
