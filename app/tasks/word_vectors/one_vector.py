"""One word in several sentences: static vectors give it the same vector in all, a model that reads them does not."""

from __future__ import annotations

from app.analysis.similarity import cosines
from app.results.word_vectors import OneVector
from app.tasks.word_sense.occurrence_vectors import word_sense
from app.tasks.word_sense.occurrences import check_sentences
from app.tasks.word_vectors.vocabulary import check_listed, open_vectors


def one_vector(lines: str, word: str, static_model: str, model: str) -> OneVector:
    """The cosines between a word's occurrences, by static vectors and by a model that reads the sentences.

    Args:
        lines: one sentence per line, labelled with a sense or not.
        word: the word to look for.
        static_model: catalog name of static vectors.
        model: catalog name of a model that `/word_sense` accepts.

    Raises:
        PlaygroundError: as `word_vectors` and `word_sense`.
    """
    vectors = open_vectors(static_model, word)
    check_listed(vectors, word)
    read = word_sense(lines.splitlines(), word, model)
    given = {sentence.index: sentence for sentence in check_sentences(lines.splitlines())}
    places = [given[one.sentence] for one in read.occurrences]
    return OneVector(
        word=word,
        static_model=vectors.checkpoint.name,
        model=read.model,
        sentences=[sentence.text for sentence in places],
        spans=[(one.start - s.start, one.end - s.start) for one, s in zip(read.occurrences, places, strict=True)],
        senses=[one.sense for one in read.occurrences],
        static=cosines(vectors.vectors([one.text for one in read.occurrences])).tolist(),
        contextual=read.similarity,
    )
