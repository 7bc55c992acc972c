"""Finds the part of a passage that answers a question. Knows texts, spans and results; the model is a `SpanFinder`."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from app.analysis.probabilities import softmax
from app.engine.base import SpanFinder
from app.engine.heads import QUESTION_ANSWERING
from app.engine.runtime.loader import load_head
from app.engine.text.passages import PassageWindow, Span, passage_windows
from app.engine.text.spans import ANSWERS, SHARED_TOKENS, WINDOW_TOKENS, possible, spans_in
from app.registry.lookup import find
from app.results.answering import AnswerResult, PassageAnswer, PassageToken
from app.tasks.checks import check_text
from app.tasks.unknown import unknown_in


def answer(question: str, passage: str, model: str = "") -> AnswerResult:
    """Point at the parts of a passage that answer a question, five at most; see `/answer`.

    As in BERT (Devlin et al. 2018, sections 4.2 and 4.3), each token is scored as begin and as end of the answer, and
    the first token means "no answer here". Long passages are read in overlapping windows, in each of which the
    probabilities of all begins add up to 1; `no_answer` comes from the window that speaks most strongly for an answer.

    Args:
        question: the question.
        passage: the text that may hold the answer.
        model: catalog name of a checkpoint with a question answering head; empty for the default.

    Raises:
        PlaygroundError: `empty_text`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`, `missing_head`,
            `model_unavailable`.
    """
    asked, text = check_text(question, "question"), check_text(passage, "passage")
    finder = load_head(find(model, "answer", question, passage), QUESTION_ANSWERING)
    windows = _windows(finder, asked, text)
    probabilities = dict(_probabilities(finder, windows))
    best: dict[Span, float] = {}
    for number, window in enumerate(windows):
        for span, probability in spans_in(window, probabilities[number]):
            best[span] = max(best.get(span, 0.0), probability)
    ranked = sorted(best.items(), key=lambda one: (-one[1], one[0]))[:ANSWERS]
    return AnswerResult(
        model=finder.checkpoint.name,
        revision=finder.checkpoint.revision,
        answers=[PassageAnswer(text[start:end], start, end, probability) for (start, end), probability in ranked],
        no_answer=min(float(both[0, 0] * both[1, 0]) for both in probabilities.values()),
        tokens=_tokens(windows, probabilities),
        windows=len(windows),
        unknown=unknown_in(finder.text, asked, text),
    )


def _windows(finder: SpanFinder, question: str, passage: str) -> list[PassageWindow]:
    limit = min(WINDOW_TOKENS, finder.max_tokens)
    return passage_windows(finder.text, question, passage, limit, min(limit // 2, SHARED_TOKENS))


def _probabilities(finder: SpanFinder, windows: list[PassageWindow]) -> Iterable[tuple[int, np.ndarray]]:
    """For each window, the probabilities [2, token] of begin and end, over the first token and the passage's tokens."""
    for number, logits in finder.span_logits([window.encoded for window in windows]):
        yield number, softmax(np.where(possible(windows[number]), logits, -np.inf))


def _tokens(windows: list[PassageWindow], probabilities: dict[int, np.ndarray]) -> list[PassageToken]:
    found: dict[Span, tuple[float, float]] = {}
    for number, window in enumerate(windows):
        begins, ends = probabilities[number].tolist()
        for place, (at, word) in enumerate(zip(window.encoded.offsets, window.words, strict=True)):
            if at is not None and word is not None:
                before = found.get(at, (0.0, 0.0))
                found[at] = max(before[0], begins[place]), max(before[1], ends[place])
    return [PassageToken(start, end, *found[start, end]) for start, end in sorted(found)]
