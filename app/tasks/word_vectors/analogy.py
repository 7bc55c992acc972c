"""Analogies: what is to a third word as a second is to a first? See `/analogy`."""

from __future__ import annotations

from app.results.word_vectors import AnalogyResult, Neighbour
from app.settings import settings
from app.tasks.checks import check_whole_number
from app.tasks.word_vectors.vocabulary import check_listed, open_vectors


def analogy(first: str, second: str, third: str, model: str = "", top_k: int = 5) -> AnalogyResult:
    """Man is to king as woman is to what? The words nearest to king - man + woman; see `/analogy`.

    All vectors are normalised first (3CosAdd). The three words of the question are excluded from the answers, as usual;
    `nearest_of_all` is the best word with them included.

    Args:
        first: "man" in the example.
        second: "king".
        third: "woman".
        model: catalog name of static vectors; empty for those of the words' language.
        top_k: how many answers.

    Raises:
        PlaygroundError: `empty_text`, `bad_value`, `unknown_model`, `wrong_model`, `model_unavailable`;
            `word_not_found`, with words that are spelt alike.
    """
    count = check_whole_number(top_k, "top_k", 1, settings().max_top_k)
    given = {"first": first, "second": second, "third": third}
    vectors = open_vectors(model, *map(str, given.values()))
    asked = [check_listed(vectors, word, field) for field, word in given.items()]
    near_them = vectors.analogy(asked[0], asked[1], asked[2], count + len(asked))
    found = [Neighbour(*near) for near in near_them]
    return AnalogyResult(
        model=vectors.checkpoint.name,
        revision=vectors.checkpoint.revision,
        first=asked[0],
        second=asked[1],
        third=asked[2],
        answers=[near for near in found if near.word not in asked][:count],
        nearest_of_all=found[0],
    )
