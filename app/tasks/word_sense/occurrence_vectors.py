"""The positions of a word's occurrences in a model's space: separated by sense, or in one spot. See `/word_sense`.

Knows sentences, words and vectors; the model is only an `engine.base.TokenEncoder`.
"""

from __future__ import annotations

import numpy as np

from app.analysis.projection import project
from app.analysis.similarity import cosines, mix, separation, unit_rows
from app.engine.base import TokenEncoder
from app.engine.heads import TOKEN_VECTORS
from app.engine.runtime.loader import load_head
from app.engine.runtime.zero_gpu import uses_card
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.text import Unknown
from app.results.word_sense import Occurrence, WordSenseResult
from app.tasks.checks import check_whole_number
from app.tasks.unknown import unknown_to
from app.tasks.word_sense.encode import check_readable, word_vectors
from app.tasks.word_sense.occurrences import Sentence, check_sentences, check_word, find_occurrences

MIX = "mix"


@uses_card
def word_sense(sentences: list[str], word: str, model: str = "", layer: int | str = -1) -> WordSenseResult:
    """Compare the occurrences of a word in up to 100 sentences; see `/word_sense`.

    Every occurrence of the word counts, in any case, but not inside another word; a Chinese word is found as a run
    of characters. The vector of an occurrence is the mean over its pieces.

    Args:
        sentences: 1 to 100; each may begin with a label of the sense, as in `music | He plays the bass.`
        word: the word to look for.
        model: catalog name; empty for the default.
        layer: 0 for the embeddings, up to the top layer; -1 is the top one. "mix" is ELMo's mean of all layers.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `word_not_found`, `unknown_model`, `wrong_model`,
            `missing_head`, `model_unavailable`.
    """
    given, word = check_sentences(sentences), check_word(word)
    occurrences = find_occurrences(given, word)
    encoder = load_head(find(model, "word_sense", word, given), TOKEN_VECTORS)
    chosen = check_layer(layer, encoder)
    layers = list(range(encoder.layers + 1)) if isinstance(chosen, str) else [chosen]
    vectors = occurrence_vectors(encoder, given, occurrences, layers)
    at_layer = mix(vectors, [0.0] * len(layers)) if chosen == MIX else vectors[0]
    similarity = cosines(at_layer)
    return WordSenseResult(
        model=encoder.checkpoint.name,
        revision=encoder.checkpoint.revision,
        layer=chosen,
        layers=encoder.layers,
        occurrences=occurrences,
        similarity=similarity.astype(float).tolist(),
        projection=project(unit_rows(at_layer)).tolist(),
        senses=separation(similarity, [occurrence.sense for occurrence in occurrences]),
        unknown=unknown_parts(encoder, given),
    )


def occurrence_vectors(
    encoder: TokenEncoder, sentences: list[Sentence], occurrences: list[Occurrence], layers: list[int]
) -> np.ndarray:
    """Vectors [layer, occurrence, hidden], in the order of the occurrences.

    Raises:
        PlaygroundError: `word_not_found`, the model reads nothing of the word; `too_long`.
    """
    holding = [sentence for sentence in sentences if any(sentence.index == at.sentence for at in occurrences)]
    spans = [
        [(at.start - sentence.start, at.end - sentence.start) for at in occurrences if at.sentence == sentence.index]
        for sentence in holding
    ]
    vectors = np.concatenate(word_vectors(encoder, [s.text for s in holding], spans, layers), axis=1)
    check_readable(vectors, [occurrence.text for occurrence in occurrences], encoder.checkpoint.name)
    return vectors


def unknown_parts(encoder: TokenEncoder, given: list[Sentence]) -> list[Unknown]:
    """The parts the model does not know, with their places in the sentences as sent, including labels."""
    texts = [sentence.text for sentence in given]
    return [
        Unknown(part.start + given[part.sentence].start, part.end + given[part.sentence].start, part.text,
                given[part.sentence].index)
        for part in unknown_to(encoder, [encoder.encode(text) for text in texts], texts)
    ]  # fmt: skip


def check_layer(layer: object, encoder: TokenEncoder) -> int | str:
    """The layer counted from 0, or "mix".

    Raises:
        PlaygroundError: `bad_value`, with the range.
    """
    if layer == MIX and encoder.checkpoint.family == "elmo":
        return MIX
    try:
        number = check_whole_number(layer, "layer", -encoder.layers - 1, encoder.layers)
    except PlaygroundError as error:
        raise PlaygroundError("bad_value", "layer", low=-encoder.layers - 1, high=encoder.layers) from error
    return number if number >= 0 else encoder.layers + 1 + number
