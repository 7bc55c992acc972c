"""The word-sense page's requests: a panel with every layer, projected and perhaps mixed; nearest words."""

from __future__ import annotations

import numpy as np

from app.analysis.clusters import cluster
from app.analysis.projection import METHODS, align, explained, projection, warm_umap
from app.analysis.similarity import cosines, mix_shares, separation, unit_rows
from app.engine.heads import TWO_WAY_LM, VOCABULARY_NEIGHBOURS
from app.engine.runtime.loader import engine, load_head
from app.engine.storage.locate import local_folder
from app.errors import PlaygroundError
from app.registry.checkpoint import Checkpoint
from app.registry.lookup import for_task, is_complete, known, readers
from app.results.word_sense import Drawn, NearWord, Neighbourhood, SenseLayer, SensePanel
from app.tasks.checks import check_whole_number
from app.tasks.word_sense.points import Senses, check_weights, see

SHOWN_NEIGHBOURS = 10
DIMENSIONS = (2, 3)
MIX = "mix"
Placed = tuple[np.ndarray, Drawn]  # [occurrence, dimension]


def open_panel(
    lines: str,
    word: str,
    model: str = "",
    inflected: bool = False,
    method: str = "pca",
    dimensions: int = 2,
    weights: list[float] | None = None,
) -> SensePanel:
    """A word's occurrences at every layer; on request, ELMo's scalar mix is an additional layer.

    Recent vectors are kept, so another method or other weights run no model.

    Args:
        lines: one sentence per line, labelled or not.
        word: the word to look for.
        model: catalog name; empty for the default.
        inflected: whether other forms of the word count too.
        method: of the projection.
        dimensions: 2 or 3.
        weights: of the mix before softmax, one per layer; models other than ELMo have none.

    Raises:
        PlaygroundError: `bad_value`; as `word_sense`.
    """
    if method not in METHODS:
        raise PlaygroundError("bad_value", "choice", field="method", choices=", ".join(METHODS))
    dimensions = check_whole_number(dimensions, "dimensions", *DIMENSIONS)
    senses = see(lines, word, model, inflected)
    mixed = check_weights(weights, senses) if senses.checkpoint.family == "elmo" else None
    vectors, names = list(senses.vectors), [str(layer) for layer in range(len(senses.vectors))]
    top = len(vectors) - 1
    if mixed is not None:
        vectors, names = [*vectors, senses.at(top, mixed)], [*names, MIX]
    placed = place_layers(vectors, top, method, dimensions)
    labels = [occurrence.sense for occurrence in senses.occurrences]
    return SensePanel(
        model=senses.checkpoint.name,
        family=senses.checkpoint.family,
        word=senses.word,
        method=method,
        sentences=senses.sentences,
        occurrences=senses.occurrences,
        layers=[_layer(*layer, labels) for layer in zip(names, vectors, placed, strict=True)],
        mix=[] if mixed is None else mix_shares(mixed).tolist(),
        unknown=senses.unknown,
    )


def _layer(name: str, vectors: np.ndarray, placed: Placed, labels: list[str | None]) -> SenseLayer:
    similarity = cosines(vectors)
    named = len(set(filter(None, labels)))
    return SenseLayer(
        name=name,
        points=placed[0],
        drawn=placed[1],
        similarity=similarity,
        clusters=cluster(similarity, named if named > 1 else None),
        senses=separation(similarity, labels),
    )


def place_layers(vectors: list[np.ndarray], top: int, method: str, dimensions: int) -> list[Placed]:
    """Coordinates from -1 to 1 of each layer's occurrences, and how they were drawn.

    Each layer is rotated to match the one above it, and a mix to match the top layer. Vectors are normalised first, so
    that distance agrees with cosine. PCA uses one scale for all layers: a layer that does not separate the occurrences
    is one spot. The other methods have no scale.

    Args:
        vectors: [occurrence, hidden] of each layer.
        top: index of the top layer; a mix may follow.
        method: of the projection.
        dimensions: 2 or 3.
    """
    unit = [unit_rows(layer) for layer in vectors]
    made = [projection(layer, method, dimensions) for layer in unit]
    points = [one.points for one in made]
    for layer in range(top - 1, -1, -1):
        points[layer] = align(points[layer], points[layer + 1])
    for mixed in range(top + 1, len(points)):
        points[mixed] = align(points[mixed], points[top])
    largest = [float(np.abs(layer).max(initial=0.0)) for layer in points]
    scales = [max(largest)] * len(points) if method == "pca" else largest
    drawn = [
        Drawn(one.method, one.setting, explained(at, layer) if one.method == "pca" else [], number != top)
        for number, (one, at, layer) in enumerate(zip(made, points, unit, strict=True))
    ]
    scaled = [np.round(at / scale if scale > 0 else at, 4) for at, scale in zip(points, scales, strict=True)]
    return list(zip(scaled, drawn, strict=True))


def near_words(
    lines: str, word: str, model: str, inflected: bool, occurrence: int, layer: object, weights: list[float] | None
) -> Neighbourhood:
    """The nearest words in other sentences, the nearest static vectors, and what ELMo expected in its place.

    Raises:
        PlaygroundError: `bad_value`; as `word_sense`.
    """
    senses = see(lines, word, model, inflected)
    at = senses.occurrences[check_whole_number(occurrence, "occurrence", 0, len(senses.occurrences) - 1)]
    chosen = check_whole_number(layer, "layer", 0, len(senses.vectors) - 1)
    weights = check_weights(weights, senses)
    vector = senses.at(chosen, weights)[senses.occurrences.index(at)][None]
    nearness = cosines(vector, senses.words_at(chosen, weights))[0]
    others = [number for number, one in enumerate(senses.words) if one.sentence != at.sentence]
    best = sorted(others, key=lambda number: -nearness[number])[:SHOWN_NEIGHBOURS]
    static, static_model = nearest_static(at.text)
    return Neighbourhood(
        model=senses.checkpoint.name,
        layer=MIX if weights is not None else chosen,
        sentence=senses.sentences[at.sentence],
        start=at.start,
        end=at.end,
        in_context=[
            NearWord(one.text, float(nearness[number]), senses.sentences[one.sentence], one.start, one.end)
            for number in best
            for one in [senses.words[number]]
        ],
        static_model=static_model,
        static=static,
        expected=_expected(senses, senses.sentences[at.sentence], at.start),
    )


def nearest_static(word: str) -> tuple[list[NearWord], str]:
    """The nearest words by the first available static vectors of its language, and their name; empty without any."""
    here = [checkpoint.name for checkpoint in for_task("word_vectors") if _is_here(checkpoint)]
    (name,) = readers(here, word, "word_vectors")[:1]
    if name not in here:
        return [], ""
    asked = load_head(known(name), VOCABULARY_NEIGHBOURS)
    found = asked.nearest(word, SHOWN_NEIGHBOURS)
    return [NearWord(text, cosine, None, None, None) for text, cosine in found], name


def _is_here(checkpoint: Checkpoint) -> bool:
    folder = local_folder(checkpoint)
    return folder is not None and is_complete(folder)


def _expected(senses: Senses, sentence: str, start: int) -> list[list[tuple[str, float]]]:
    """What ELMo's own word head expected there, from the left and from the right; empty without that head."""
    if senses.checkpoint.family != "elmo" or not has_word_head(senses.checkpoint):
        return []
    asked = load_head(senses.checkpoint, TWO_WAY_LM)
    found = asked.predict(sentence, start, SHOWN_NEIGHBOURS // 2)
    return [found.from_left, found.from_right]


def has_word_head(checkpoint: Checkpoint) -> bool:
    """Whether this ELMo came with its softmax."""
    return TWO_WAY_LM in engine().get(checkpoint).heads


def warm_projections() -> None:
    """Compile what the first UMAP would otherwise wait for."""
    warm_umap()
