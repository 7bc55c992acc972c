"""Why a text got its label: integrated gradients per token, summed over words, and each word hidden in turn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.engine.base import Explaining, can_explain
from app.engine.text.text_tokenizer import Encoded
from app.errors import PlaygroundError
from app.results.classification import AttributedToken, AttributeResult, WhyResult, WordEffect
from app.results.expressions.blank import BLANK
from app.results.expressions.writing import WORD
from app.tasks.checks import check_text
from app.tasks.classification.classify import encode_texts, label_answers, load_classifier, ranked
from app.tasks.unknown import unknown_of

METHOD = "integrated_gradients"
# A Chinese character, a run of letters and digits (with inner apostrophes or hyphens), or any other sign.


def attribute(text: str, model: str = "", label: str = "", visitor: str = "") -> AttributeResult:
    """Compute what each token adds to the logit of a label; see `/attribute`.

    Integrated gradients (Sundararajan et al. 2017, arXiv 1703.01365) over the input embeddings, computed by captum.
    The baseline is the same text with every piece replaced by the mask token, so the attributions add up to the
    difference between the label's two logits, apart from the convergence delta.

    Args:
        text: a text.
        model: catalog name, or the name that `/fine_tune` gave to this client; empty for the default.
        label: one of the model's labels; empty for the most probable one.
        visitor: key of the visit, for models that the visitor trained.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value` (no such label), `unknown_model`, `wrong_model`,
            `missing_head`, `model_unavailable`.
    """
    classifier = load_explaining(model, visitor, check_text(text))
    return _attribute(classifier, text, encode_texts(classifier, [text])[0], label)


def explain(text: str, model: str = "", label: str = "", visitor: str = "") -> WhyResult:
    """The attributions summed over words, and the effect of hiding each word on the label's probability.

    Raises:
        PlaygroundError: as `attribute`.
    """
    classifier = load_explaining(model, visitor, check_text(text))
    (row,) = encode_texts(classifier, [text])
    attributed = _attribute(classifier, text, row, label)
    index = classifier.labels.index(attributed.label)
    blanks = [match.span() for match in BLANK.finditer(text)]
    spans = [
        match.span()
        for match in WORD.finditer(text)
        if not any(start < match.end() and match.start() < end for start, end in blanks)
    ]
    hidden = [hide(row, classifier.text.mask_id, span) for span in spans]
    answers: dict[int, np.ndarray] = {}
    for done, answer in label_answers(classifier, [row, *hidden]):
        answers.update(zip(done, answer, strict=True))
    words = [
        WordEffect(
            text[start:end],
            start,
            end,
            of_word(attributed, (start, end)),
            float(answers[0][index] - answers[place][index]),
        )
        for place, (start, end) in enumerate(spans, start=1)
    ]
    return WhyResult(text, attributed, ranked(classifier, answers[0]), words, classifier.kind)


def load_explaining(model: str, visitor: str, *texts: object) -> Explaining:
    """A classifier that can tell what each token adds.

    Raises:
        PlaygroundError: `bad_value`, its kind cannot tell; else as `load_classifier`.
    """
    classifier = load_classifier(model, visitor, *texts)
    if not can_explain(classifier):
        raise PlaygroundError("bad_value", "no_explaining", model=classifier.checkpoint.name)
    return classifier


def hide(row: Encoded, mask_id: int | None, span: tuple[int, int]) -> Encoded:
    """The text with every piece of one word replaced by the mask token."""
    return replace(
        row,
        input_ids=[
            mask_id if offsets is not None and mask_id is not None and _inside(offsets[0], span) else token_id
            for token_id, offsets in zip(row.input_ids, row.offsets, strict=True)
        ],
    )


def of_word(attributed: AttributeResult, span: tuple[int, int]) -> float:
    """The sum over the pieces of a word."""
    return sum(
        token.attribution for token in attributed.tokens if token.start is not None and _inside(token.start, span)
    )


def _inside(start: int, span: tuple[int, int]) -> bool:
    """A piece belongs to the word in which it starts, so to one word at most."""
    return span[0] <= start < span[1]


def _attribute(classifier: Explaining, text: str, row: Encoded, label: str) -> AttributeResult:
    ((_, (answers,)),) = label_answers(classifier, [row])
    if label and label not in classifier.labels:
        raise PlaygroundError("bad_value", "choice", field="label", choices=", ".join(classifier.labels))
    index = classifier.labels.index(label) if label else int(answers.argmax())
    made = classifier.attribute(row, index)
    tokens = [
        AttributedToken(token.token, token.start, token.end, float(value))
        for token, value in zip(classifier.text.tokens(row), made.tokens, strict=True)
    ]
    return AttributeResult(
        model=classifier.checkpoint.name,
        revision=classifier.checkpoint.revision,
        label=classifier.labels[index],
        method=METHOD,
        tokens=tokens,
        convergence_delta=made.delta,
        logit=made.logit,
        baseline_logit=made.baseline_logit,
        unknown=unknown_of(classifier.text, row, text),
    )
