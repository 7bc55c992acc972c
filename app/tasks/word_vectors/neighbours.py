"""The words whose vectors are nearest to a word's. See `/word_vectors`."""

from __future__ import annotations

from app.results.word_vectors import Neighbour, WordVectorsResult
from app.settings import settings
from app.tasks.checks import check_whole_number
from app.tasks.word_vectors.vocabulary import check_listed, open_vectors


def word_vectors(word: str, model: str = "", top_k: int = 10) -> WordVectorsResult:
    """A word's vector and the words nearest to it by cosine; see `/word_vectors`.

    Args:
        word: one word in any case: "paris" finds "Paris".
        model: catalog name of static vectors; empty for those of the word's language.
        top_k: how many neighbours.

    Raises:
        PlaygroundError: `empty_text`, `bad_value`, `unknown_model`, `wrong_model`, `model_unavailable`;
            `word_not_found`, with words that are spelt alike.
    """
    count = check_whole_number(top_k, "top_k", 1, settings().max_top_k)
    vectors = open_vectors(model, str(word))
    listed = check_listed(vectors, word)
    (vector,) = vectors.vectors([listed])
    return WordVectorsResult(
        model=vectors.checkpoint.name,
        revision=vectors.checkpoint.revision,
        word=listed,
        rank=1 + (vectors.place(listed) or 0),
        words=len(vectors.words),
        dimensions=len(vector),
        vector=vector.tolist(),
        neighbours=[Neighbour(*near) for near in vectors.nearest(listed, count)],
    )
