"""Texts as points on a plane: their vectors from a classifier's own encoder, projected."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.analysis.projection import METHODS, explained, projection
from app.engine.heads import TOKEN_VECTORS
from app.engine.runtime.loader import engine
from app.engine.runtime.visitor_models import visitor_models
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.classification import ClassifyResult, LabelMap
from app.tasks.classification.embed import pooled_vectors

# t-SNE takes a minute and a half for 5,000 points.
MOST_POINTS = 1_000


def label_map(
    result: ClassifyResult, method: str = "pca", visitor: str = "", model: str = "", labels: Sequence[str] = ()
) -> LabelMap:
    """The positions of an answer's texts in the top layer (mean over the tokens), with their labels.

    Args:
        result: the answer of a classifier.
        method: "pca", "tsne" or "umap".
        visitor: key of the visit.
        model: another checkpoint to take the vectors from, such as the encoder before fine-tuning; empty for the
            classifier's own.
        labels: what to colour by, one per text; if empty, the predicted labels.

    Raises:
        PlaygroundError: `bad_value`, no such method, or the model has no vectors of its own; `too_long`, too many
            points; errors of loading the model.
    """
    if method not in METHODS:
        raise PlaygroundError("bad_value", "choice", field="method", choices=", ".join(METHODS))
    if len(result.results) > MOST_POINTS:
        raise PlaygroundError("too_long", "texts", count=len(result.results), limit=MOST_POINTS)
    name = model or result.model
    own = visitor_models().get(visitor, name)
    if own is not None and TOKEN_VECTORS not in own.heads:
        raise PlaygroundError("bad_value", "no_map", model=name)
    loaded = own or engine().get(find(name, ""))
    encoder = loaded.head(TOKEN_VECTORS)
    texts = [entry.whole for entry in result.results]
    rows = [encoder.encode(*entry.parts) for entry in result.results]
    vectors = dict(pooled_vectors(encoder, rows, encoder.layers))
    stacked = np.stack([vectors[index] for index in range(len(texts))])
    drawn = projection(stacked, method)
    reach = float(np.abs(drawn.points).max()) or 1.0
    coloured = list(labels) or [entry.verdict for entry in result.results]
    shares = explained(drawn.points, stacked) if drawn.method == "pca" else []
    return LabelMap(name, drawn.method, drawn.setting, (drawn.points / reach).tolist(), coloured, texts, shares)
