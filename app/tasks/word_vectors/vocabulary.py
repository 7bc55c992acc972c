"""The words that static vectors know: found in any case, with suggestions for missing ones."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from app.engine.heads import VOCABULARY_NEIGHBOURS
from app.engine.runtime.loader import load_head
from app.engine.text.words import VocabularyNeighbours
from app.errors import PlaygroundError
from app.registry.lookup import find, readers
from app.results.expressions.writing import CHINESE
from app.tasks.word_sense.occurrences import check_word

TASK = "word_vectors"
# The number of suggestions, their least similarity (difflib's ratio), and the largest difference in letters.
OFFERED, ALIKE, LONGER = 4, 0.65, 2


def open_vectors(model: str, *words: str) -> VocabularyNeighbours:
    """The vectors of that name; if it is empty, those of the words' language.

    Raises:
        PlaygroundError: `unknown_model`, `wrong_model`, `model_unavailable`.
    """
    fitting = readers([], "".join(words), TASK)
    return load_head(find(model or next(iter(fitting), ""), TASK), VOCABULARY_NEIGHBOURS)


def check_listed(vectors: VocabularyNeighbours, word: object, field: str = "word") -> str:
    """Return the word as the vocabulary spells it.

    Raises:
        PlaygroundError: `bad_value`, `empty_text`; `word_not_found`, with suggestions.
    """
    if isinstance(word, str) and not word.strip():
        raise PlaygroundError("empty_text", field=field)
    asked, name = check_word(word), vectors.checkpoint.name
    place = vectors.place(asked)
    if place is not None:
        return vectors.words[place]
    (other,) = readers([name], asked, TASK)
    if other != name:
        raise PlaygroundError("word_not_found", "other_vectors", word=asked, model=name, other=other)
    known = {"word": asked, "model": name, "count": f"{len(vectors.words):,}"}
    offered = instead_of(asked, vectors)
    if not offered:
        raise PlaygroundError("word_not_found", "not_listed", **known)
    raise PlaygroundError("word_not_found", "other_spelling", **known, near=", ".join(offered))


def instead_of(word: str, vectors: VocabularyNeighbours) -> list[str]:
    """Suggestions for a word that is missing: its parts, or else words that are spelt alike."""
    if CHINESE.search(word):
        return _parts(word, vectors) or [listed for listed in vectors.words if word in listed][:OFFERED]
    places = [vectors.place(part) for part in re.split(r"[\W_]+", word)]
    if parts := dict.fromkeys(vectors.words[place] for place in places if place is not None):
        return list(parts)[:OFFERED]
    return _spelt_alike(word.lower(), vectors.words)


def _parts(word: str, vectors: VocabularyNeighbours) -> list[str]:
    """The longest known words in a Chinese word, from its beginning."""
    found, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        end = next((end for end in ends if vectors.place(word[start:end]) is not None), 0)
        if end:
            found.append(word[start:end])
        start = end or start + 1
    return list(dict.fromkeys(found))[:OFFERED]


def _spelt_alike(word: str, words: Sequence[str]) -> list[str]:
    """Words that begin with the same letter, or that are the word with its first two letters swapped."""
    begins = {word[:1], word[1:2]}
    like = {
        one.lower(): one for one in reversed(words) if one[0].lower() in begins and abs(len(one) - len(word)) <= LONGER
    }
    return [like[found] for found in difflib.get_close_matches(word, like, OFFERED, ALIKE)]
