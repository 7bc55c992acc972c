"""Puts texts, or pairs of texts, into classes. Knows texts, labels and results; the model is behind `Classifier`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from app.engine.base import Classifier
from app.engine.loader import load_head
from app.engine.text import Encoded
from app.engine.visitors import visitor_models
from app.errors import PlaygroundError
from app.registry.checkpoint import CLASSIFICATION
from app.registry.lookup import find
from app.results_classification import Classified, ClassifyResult
from app.results_pairs import LabelProbability
from app.tasks.checks import check_text, check_texts, check_tokens
from app.tasks.unknown import unknown_of


def classify(texts: list[str], model: str = "", seconds: list[str] = [], visitor: str = "") -> ClassifyResult:
    """Give each text the probabilities of all labels; see `/classify`.

    Args:
        texts: the texts, or the first ones of pairs.
        model: catalog name, or the name that `/fine_tune` gave to this client; empty for the default.
        seconds: the second texts for a classifier of pairs, as many as there are texts; empty for single texts.
        visitor: key of the visit, for models that the visitor trained.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    *_, answer = classify_in_steps(load_classifier(model, visitor), texts, seconds)
    return answer


def classify_in_steps(classifier: Classifier, texts: list[str], seconds: list[str] = []) -> Iterator[ClassifyResult]:
    """The same with a loaded model, batch by batch: each time all texts that are done by then, in their order.

    Closing the iterator ends the work.
    """
    rows = encode_texts(classifier, texts, seconds)
    others = list(seconds) or [None] * len(rows)
    unknown = [
        unknown_of(classifier.text, row, *(part for part in pair if part is not None))
        for row, *pair in zip(rows, texts, others, strict=True)
    ]
    probabilities: dict[int, np.ndarray] = {}
    for done, answer in label_probabilities(classifier, rows):
        probabilities.update(zip(done, answer, strict=True))
        results = [
            Classified(texts[index], ranked(classifier.labels, probabilities[index]), others[index], unknown[index])
            for index in range(len(rows))
            if index in probabilities
        ]
        yield ClassifyResult(classifier.checkpoint.name, classifier.checkpoint.revision, results)


def load_classifier(model: str, visitor: str = "") -> Classifier:
    """A checkpoint's trained classification head, or a model that this visitor trained.

    Raises:
        PlaygroundError: `unknown_model`, `wrong_model`, `missing_head`, `model_unavailable`.
    """
    own = visitor_models().get(visitor, model) if isinstance(model, str) else None
    return own.head(CLASSIFICATION) if own is not None else load_head(find(model, "classify"), CLASSIFICATION)


def encode_texts(classifier: Classifier, texts: list[str], seconds: list[str] = []) -> list[Encoded]:
    """The texts, or pairs, as the model reads them.

    Raises:
        PlaygroundError: `bad_value`, as many second texts are needed as first ones; `empty_text`; `too_long`.
    """
    firsts, others = check_texts(texts), list(seconds or [])
    if others and len(others) != len(firsts):
        raise PlaygroundError("bad_value", "seconds", count=len(others), expected=len(firsts))
    rows = []
    for number, first in enumerate(firsts, start=1):
        pair = [check_text(first, f"text {number}")]
        if others:
            pair.append(check_text(others[number - 1], f"second {number}"))
        row = classifier.text.encode(*pair)
        if {side for side in row.sequence_ids if side is not None} != set(range(len(pair))):
            raise PlaygroundError("empty_text", field=f"text {number}")
        check_tokens(len(row.input_ids), classifier.max_tokens)
        rows.append(row)
    return rows


def label_probabilities(classifier: Classifier, rows: list[Encoded]) -> Iterator[tuple[list[int], np.ndarray]]:
    """Batch by batch: which rows are done, and their probabilities [row, label]."""
    for done, logits in classifier.label_logits(rows):
        raised = np.exp(logits.astype(np.float64) - logits.max(axis=-1, keepdims=True))
        yield done, raised / raised.sum(axis=-1, keepdims=True)


def ranked(labels: Sequence[str], probabilities: np.ndarray) -> list[LabelProbability]:
    """All labels by falling probability; equal ones in the model's own order."""
    return [
        LabelProbability(labels[index], float(probabilities[index]))
        for index in np.argsort(-probabilities, kind="stable")
    ]
