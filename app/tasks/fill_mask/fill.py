"""Fills masked words: each mask on its own, all masks together, and the exact score of any word.

Knows texts, distributions and results; the model is only an `engine.base.MaskedLM`.
"""

from __future__ import annotations

import numpy as np

from app.engine.base import MaskedLM, MaskedRow
from app.engine.heads import MASKED_LM
from app.engine.runtime.loader import load_head
from app.engine.runtime.zero_gpu import uses_card
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.expressions.blank import BLANK
from app.results.text import Candidate, FillMaskResult, MaskAnswer, Unknown, Window
from app.settings import settings
from app.tasks.checks import check_text, check_whole_number, check_words
from app.tasks.examples import once_for_examples
from app.tasks.fill_mask.crop import fit_window
from app.tasks.fill_mask.joint import fill_jointly
from app.tasks.fill_mask.question import MAX_MASKS, Question, top_ids
from app.tasks.fill_mask.targets import score_targets
from app.tasks.unknown import unknown_in


@once_for_examples("fill_mask", "text", "targets")
@uses_card
def fill_mask(text: str, model: str = "", top_k: int = 5, targets: list[str] = []) -> FillMaskResult:
    """Predict the hidden words of a text; see `/fill_mask`.

    Args:
        text: with `[MASK]`, `<mask>` or `___` where a word is missing.
        model: catalog name; empty for the default.
        top_k: candidates per mask.
        targets: words to score at the first mask.

    Raises:
        PlaygroundError: `empty_text`, `no_mask`, `too_long`, `bad_value`, `unknown_model`, `wrong_model`,
            `missing_head`, `model_unavailable`, `word_not_found`.
    """
    check_text(text)
    top_k = check_whole_number(top_k, "top_k", 1, settings().max_top_k)
    words = check_words(targets, "targets", settings().max_targets)
    checkpoint = find(model, "fill_mask", text)
    blanks = len(BLANK.findall(text))
    if not blanks:
        raise PlaygroundError("no_mask")
    if blanks > MAX_MASKS:
        raise PlaygroundError("too_long", "masks", count=blanks, limit=MAX_MASKS)
    language_model = load_head(checkpoint, MASKED_LM)
    encoded, window = fit_window(language_model.text.encode(text), language_model.max_tokens)
    question = Question(language_model, text, encoded)
    distributions = _distributions(question)
    return FillMaskResult(
        model=checkpoint.name,
        revision=language_model.checkpoint.revision,
        tokens=language_model.text.tokens(encoded),
        masks=[
            MaskAnswer(index, _candidates(language_model, distribution, top_k))
            for index, distribution in zip(encoded.mask_indices, distributions, strict=True)
        ],
        joint=fill_jointly(question, distributions, top_k) if len(encoded.mask_indices) > 1 else [],
        targets=score_targets(question, distributions[0], words),
        window=window,
        unknown=within(window, unknown_in(language_model.text, text)),
    )


def within(window: Window | None, unknown: list[Unknown]) -> list[Unknown]:
    """The unknown parts within the window that the model read."""
    return [one for one in unknown if window is None or (one.start < window.end and window.start < one.end)]


def _distributions(question: Question) -> np.ndarray:
    """Log-probabilities [mask, vocabulary], every mask on its own."""
    encoded = question.encoded
    row = MaskedRow(encoded.input_ids, encoded.token_type_ids, encoded.mask_indices)
    return next(question.model.masked_log_probabilities([row]))


def _candidates(model: MaskedLM, distribution: np.ndarray, top_k: int) -> list[Candidate]:
    """The `top_k` most probable entries of log-probabilities [vocabulary]."""
    return [
        Candidate(
            model.text.show(token_id), model.text.piece(token_id), token_id, float(np.exp(distribution[token_id]))
        )
        for token_id in top_ids(distribution, top_k)
    ]
