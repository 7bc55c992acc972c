"""Classifies texts or pairs of texts. Knows texts, labels and results; the model is a `Classifier`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.analysis.probabilities import softmax
from app.engine.base import Classifier, Row
from app.engine.heads import CLASSIFICATION
from app.engine.runtime.loader import load_head
from app.engine.runtime.visitor_models import visitor_models
from app.engine.text.text_tokenizer import Encoded
from app.errors import PlaygroundError
from app.late_imports import importing
from app.registry.lookup import find, for_task
from app.results.classification import NUMBER, ONE, SEVERAL, Classified, ClassifyResult, Kind, Labelled, LabelScore
from app.results.sentence_pair import LabelProbability
from app.tasks.checks import check_text, check_texts, check_tokens
from app.tasks.unknown import unknown_in_row


def classify(texts: list[str], model: str = "", seconds: list[str] = [], visitor: str = "") -> ClassifyResult:
    """Give each text the probabilities of all labels; see `/classify`.

    The checkpoint's `problem_type` decides their meaning, which `kind` reports: `one` label holds (softmax), `several`
    may hold at once (a sigmoid each), or the output is a `number` (a score in place of the probability).

    Args:
        texts: the texts, or the first ones of pairs.
        model: catalog name, or the name that `/fine_tune` gave to this client; empty for the default.
        seconds: the second texts for a classifier of pairs, as many as there are texts; empty for single texts.
        visitor: key of the visit, for models that the visitor trained.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    *_, answer = classify_in_steps(load_classifier(model, visitor, texts, seconds), texts, seconds)
    return answer


def classify_in_steps(classifier: Classifier, texts: list[str], seconds: list[str] = []) -> Iterator[ClassifyResult]:
    """The same with a loaded model, batch by batch; each time, all texts done so far, in their order.

    Closing the iterator ends the work.
    """
    rows = encode_texts(classifier, texts, seconds)
    others: list[str | None] = list(seconds) or [None] * len(rows)
    unknown = [
        unknown_in_row(classifier, row, *(part for part in pair if part is not None))
        for row, *pair in zip(rows, texts, others, strict=True)
    ]
    kind: Kind = classifier.kind
    answers: dict[int, np.ndarray] = {}
    for done, answer in label_answers(classifier, rows):
        answers.update(zip(done, answer, strict=True))
        results = [
            Classified(texts[index], ranked(classifier, answers[index]), others[index], kind, unknown[index])
            for index in range(len(rows))
            if index in answers
        ]
        yield ClassifyResult(classifier.checkpoint.name, classifier.checkpoint.revision, results, classifier.kind)


def load_classifier(model: str, visitor: str = "", *texts: object) -> Classifier:
    """A checkpoint's trained classification head, or a model that this visitor trained.

    Raises:
        PlaygroundError: `unknown_model`, `wrong_model`, `missing_head`, `model_unavailable`.
    """
    own = visitor_models().get(visitor, model) if isinstance(model, str) else None
    if own is None:
        return load_head(find(model, "classify", *texts), CLASSIFICATION)
    if CLASSIFICATION not in own.heads:  # it labels words
        raise PlaygroundError("wrong_model", model=model, names=", ".join(one.name for one in for_task("classify")))
    return own.head(CLASSIFICATION)


def encode_texts(classifier: Classifier[Row], texts: list[str], seconds: list[str] = []) -> list[Row]:
    """The texts or pairs as the model reads them.

    Raises:
        PlaygroundError: `bad_value`, not as many second texts as first ones; `empty_text`; `too_long`.
    """
    firsts = check_texts(texts)
    others = check_texts(seconds, "seconds") if seconds else []
    if others and len(others) != len(firsts):
        raise PlaygroundError("bad_value", "seconds", count=len(others), expected=len(firsts))
    pairs = zip(firsts, others or [None] * len(firsts), strict=True)
    if len(firsts) == 1:
        row = _encoded(classifier, 1, *next(pairs))
        check_tokens(len(row.offsets), classifier.max_tokens)
        return [row]
    return [encode_row(classifier, number, *pair) for number, pair in enumerate(pairs, start=1)]


def encode_row(classifier: Classifier[Row], number: int, first: object, second: object = None) -> Row:
    """One of several texts or pairs as the model reads it.

    Raises:
        PlaygroundError: `bad_value`, `empty_text`, or `too_long`, naming the row.
    """
    row, limit = _encoded(classifier, number, first, second), classifier.max_tokens
    if len(row.offsets) > limit:
        raise PlaygroundError("too_long", "row", row=number, count=len(row.offsets), limit=limit)
    return row


def _encoded(classifier: Classifier[Row], number: int, first: object, second: object = None) -> Row:
    pair = [check_text(first, f"text {number}")]
    if second is not None:
        pair.append(check_text(second, f"second {number}"))
    if second is not None and not classifier.reads_pairs:
        raise PlaygroundError("bad_value", "no_pairs", model=classifier.checkpoint.name)
    row = classifier.encode(*pair)
    # A reader of words answers even without known words, from the labels' shares alone, and names the unknown words.
    if isinstance(row, Encoded) and {side for side in row.sequence_ids if side is not None} != set(range(len(pair))):
        raise PlaygroundError("empty_text", field=f"text {number}")
    return row


def label_answers(classifier: Classifier[Row], rows: list[Row]) -> Iterator[tuple[list[int], np.ndarray]]:
    """Batch by batch: the indices of finished rows and their probabilities, or scores, [row, label]."""
    with importing():
        from scipy.special import expit  # importing it takes as long as opening the page

    for done, logits in classifier.label_logits(rows):
        exact = logits.astype(np.float64)
        if classifier.kind == ONE:
            exact = softmax(exact)
        elif classifier.kind == SEVERAL:
            exact = expit(exact)
        yield done, exact


def ranked(classifier: Classifier, answers: np.ndarray) -> list[Labelled]:
    """All labels by decreasing probability or score; equal ones in the model's own order."""
    make = LabelScore if classifier.kind == NUMBER else LabelProbability
    return [make(classifier.labels[index], float(answers[index])) for index in np.argsort(-answers, kind="stable")]
