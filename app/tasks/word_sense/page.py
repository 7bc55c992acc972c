"""What the word-sense page asks for: a panel with every layer, another projection, a mix of layers, neighbours."""

from __future__ import annotations

import numpy as np

from app.analysis.clusters import cluster
from app.analysis.projection import METHODS, align, projection, warm_umap
from app.analysis.similarity import cosines, separation, unit_rows
from app.engine.base import TokenEncoder
from app.engine.runtime.loader import load_head
from app.engine.storage.locate import local_folder
from app.engine.text.words import TwoWayLM, VocabularyNeighbours
from app.errors import PlaygroundError
from app.registry.checkpoint import TOKEN_VECTORS, TWO_WAY_LM, VOCABULARY_NEIGHBOURS, Checkpoint
from app.registry.lookup import for_task, is_complete
from app.results.attention import Packed
from app.results.word_sense import Drawn, NearWord, Neighbourhood, SenseLayer, SensePanel
from app.tasks.attention.heads import pack_bytes
from app.tasks.checks import check_whole_number
from app.tasks.word_sense.points import Senses, check_weights, see

SHOWN_NEIGHBOURS = 10
DIMENSIONS = (2, 3)
STATIC = "static_vectors"


def open_panel(lines: str, word: str, model: str = "", inflected: bool = False) -> SensePanel:
    """A word's occurrences at every layer, drawn by PCA.

    Args:
        lines: one sentence a line, labelled or not.
        word: the word to look for.
        model: catalog name; empty for the default.
        inflected: whether other forms of the word count too.

    Raises:
        PlaygroundError: as `word_sense`.
    """
    senses = see(lines, word, model, inflected)
    layers = [_layer(senses.at(layer, None), senses) for layer in range(len(senses.vectors))]
    return SensePanel(
        model=senses.checkpoint.name,
        family=senses.checkpoint.family,
        word=senses.word,
        lines=lines,
        inflected=bool(inflected),
        sentences=senses.sentences,
        occurrences=senses.occurrences,
        layers=layers,
        points=points_of_layers(senses, "pca", 2)[0],
        unknown=senses.unknown,
    )


def _layer(vectors: np.ndarray, senses: Senses) -> SenseLayer:
    labels = [occurrence.sense for occurrence in senses.occurrences]
    similarity = cosines(vectors)
    named = len(set(filter(None, labels)))
    packed = np.rint((similarity + 1) * 127.5).astype(np.uint8)
    return SenseLayer(
        similarity=Packed(1, *similarity.shape, False, pack_bytes(packed.tobytes())),
        clusters=cluster(similarity, named if named > 1 else None),
        senses=separation(similarity, labels),
    )


Points = list[list[float]]


def points_of_layers(senses: Senses, method: str, dimensions: int) -> tuple[list[Points], list[Drawn]]:
    """Coordinates [layer][occurrence] from -1 to 1, each layer turned to lie like the one above it, and how.

    Vectors are brought to length 1 first, so that distance says what cosine says. PCA keeps one scale for all layers: a
    layer that does not tell the occurrences apart is one spot. The other methods know no scale.
    """
    made = [projection(unit_rows(vectors), method, dimensions) for vectors in senses.vectors]
    drawn = [one.points for one in made]
    for layer in range(len(drawn) - 2, -1, -1):
        drawn[layer] = align(drawn[layer], drawn[layer + 1])
    largest = [float(np.abs(points).max(initial=0.0)) for points in drawn]
    scales = [max(largest)] * len(drawn) if method == "pca" else largest
    scaled = [
        np.round(points / scale if scale > 0 else points, 4).tolist()
        for points, scale in zip(drawn, scales, strict=True)
    ]
    return scaled, [Drawn(one.method, one.setting) for one in made]


def move_points(
    lines: str, word: str, model: str, inflected: bool, method: str, dimensions: int
) -> tuple[list[Points], list[Drawn]]:
    """Coordinates of all layers by another method, and how each was drawn.

    Raises:
        PlaygroundError: `bad_value`; as `word_sense`.
    """
    if method not in METHODS:
        raise PlaygroundError("bad_value", "choice", field="method", choices=", ".join(METHODS))
    dimensions = check_whole_number(dimensions, "dimensions", *DIMENSIONS)
    return points_of_layers(see(lines, word, model, inflected), method, dimensions)


def mix_layers(
    lines: str, word: str, model: str, inflected: bool, weights: list[float], method: str, dimensions: int
) -> tuple[SenseLayer, Points, Drawn]:
    """ELMo's scalar mix as if it were one more layer, its coordinates, and how they were drawn; no model runs.

    Raises:
        PlaygroundError: `bad_value`; as `word_sense`.
    """
    senses = see(lines, word, model, inflected)
    if method not in METHODS:
        raise PlaygroundError("bad_value", "choice", field="method", choices=", ".join(METHODS))
    mixed = senses.at(0, check_weights(weights, senses))
    made = projection(unit_rows(mixed), method, check_whole_number(dimensions, "dimensions", *DIMENSIONS))
    largest = float(np.abs(made.points).max(initial=0.0))
    points = np.round(made.points / largest if largest > 0 else made.points, 4).tolist()
    return _layer(mixed, senses), points, Drawn(made.method, made.setting)


def near_words(
    lines: str, word: str, model: str, inflected: bool, occurrence: int, layer: int, weights: list[float] | None
) -> Neighbourhood:
    """The nearest words in other sentences, the nearest static vectors, and what ELMo expected in its place.

    Raises:
        PlaygroundError: `bad_value`; as `word_sense`.
    """
    senses = see(lines, word, model, inflected)
    at = senses.occurrences[check_whole_number(occurrence, "occurrence", 0, len(senses.occurrences) - 1)]
    layer = check_whole_number(layer, "layer", 0, len(senses.vectors) - 1)
    weights = check_weights(weights, senses)
    vector = senses.at(layer, weights)[senses.occurrences.index(at)][None]
    nearness = cosines(vector, senses.words_at(layer, weights))[0]
    others = [number for number, one in enumerate(senses.words) if one.sentence != at.sentence]
    best = sorted(others, key=lambda number: -nearness[number])[:SHOWN_NEIGHBOURS]
    static, static_model = nearest_static(at.text)
    return Neighbourhood(
        model=senses.checkpoint.name,
        layer="mix" if weights is not None else layer,
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
    """The nearest words of the first static vectors on this machine, and their name; none without any."""
    for checkpoint in for_task("word_sense"):
        folder = local_folder(checkpoint) if checkpoint.family == STATIC else None
        if folder is not None and is_complete(folder):
            asked: VocabularyNeighbours = load_head(checkpoint, VOCABULARY_NEIGHBOURS)
            found = asked.nearest(word, SHOWN_NEIGHBOURS)
            return [NearWord(text, cosine, None, None, None) for text, cosine in found], checkpoint.name
    return [], ""


def _expected(senses: Senses, sentence: str, start: int) -> list[list[tuple[str, float]]]:
    """What ELMo's own word head expected there, from the left and from the right; nothing without that head."""
    if senses.checkpoint.family != "elmo" or not has_word_head(senses.checkpoint):
        return []
    asked: TwoWayLM = load_head(senses.checkpoint, TWO_WAY_LM)
    found = asked.predict(sentence, start, SHOWN_NEIGHBOURS // 2)
    return [found.from_left, found.from_right]


def has_word_head(checkpoint: Checkpoint) -> bool:
    """Did this ELMo come with its softmax?"""
    encoder: TokenEncoder = load_head(checkpoint, TOKEN_VECTORS)
    return TWO_WAY_LM in encoder.loaded.heads


def warm_projections() -> None:
    """Compile what the first UMAP would otherwise wait for."""
    warm_umap()
