"""How well a model predicts a given text: surprisal of every token, and the whole text's perplexity."""

from __future__ import annotations

import math
from collections.abc import Iterable

from app.engine.base import CausalLM, LanguageModel, MaskedLM, MaskedRow
from app.engine.heads import CAUSAL_LM, MASKED_LM
from app.engine.runtime.loader import load_head
from app.engine.runtime.zero_gpu import uses_card
from app.engine.text.text_tokenizer import Encoded
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.results.text import ScoreResult, TokenScore
from app.tasks.checks import check_text, check_tokens
from app.tasks.examples import once_for_examples
from app.tasks.unknown import unknown_in


@once_for_examples("score", "text")
@uses_card
def score(text: str, model: str = "") -> ScoreResult:
    """Score a text; see `/score`.

    Masked models: each token is hidden in turn; pseudo-log-likelihood (Salazar et al. 2020, arXiv 1910.14659).
    Causal models: each token given those before it, starting from the begin token if the model has one.
    """
    language_model: LanguageModel
    check_text(text)
    checkpoint = find(model, "score", text)
    if CAUSAL_LM in checkpoint.heads:
        causal = load_head(checkpoint, CAUSAL_LM)
        kind, language_model, tokens = "causal", causal, _causal(causal, text)
    else:
        masked = load_head(checkpoint, MASKED_LM)
        kind, language_model, tokens = "masked", masked, _masked(masked, text)
    if not tokens:
        raise PlaygroundError("empty_text", "no_tokens")
    total = sum(token.log_probability for token in tokens)
    perplexity = math.exp(-total / len(tokens))
    unknown = unknown_in(language_model.text, text)
    return ScoreResult(checkpoint.name, language_model.checkpoint.revision, kind, tokens, total, perplexity, unknown)


def _masked(model: MaskedLM, text: str) -> list[TokenScore]:
    encoded = model.text.encode(text)
    check_tokens(len(encoded.input_ids), model.max_tokens)
    scored = [i for i, span in enumerate(encoded.offsets) if span is not None and i not in encoded.mask_indices]
    rows = [
        MaskedRow(_replaced(encoded.input_ids, index, model.text.mask), encoded.token_type_ids, [index])
        for index in scored
    ]
    measured = []
    for index, distribution in zip(scored, model.masked_log_probabilities(rows), strict=True):
        log_probability = distribution[0, encoded.input_ids[index]]
        measured.append((float(log_probability), 1 + int((distribution[0] > log_probability).sum())))
    return _token_scores(model, encoded, scored, measured)


def _causal(model: CausalLM, text: str) -> list[TokenScore]:
    encoded = model.text.prompt(text)
    placed = [index for index, side in enumerate(encoded.sequence_ids) if side is not None]
    # Whatever the tokenizer puts before a prompt, or else the begin token, so that the first word is scored.
    begin = [] if model.text.begin_id is None or placed[:1] != [0] else [model.text.begin_id]
    input_ids = begin + encoded.input_ids
    check_tokens(len(input_ids), model.max_tokens)
    if not placed or len(input_ids) < 2:
        return []
    log_probabilities, ranks = model.token_scores(input_ids)
    scored = placed if begin or placed[0] else placed[1:]
    skipped = scored[0] + len(begin) - 1  # predictions of the tokens in front
    log_probabilities, ranks = log_probabilities[skipped:], ranks[skipped:]
    return _token_scores(model, encoded, scored, zip(log_probabilities.tolist(), ranks.tolist(), strict=True))


def _token_scores(
    model: MaskedLM | CausalLM, encoded: Encoded, scored: list[int], measured: Iterable[tuple[float, int]]
) -> list[TokenScore]:
    tokens = model.text.tokens(encoded)
    return [
        TokenScore(tokens[index].token, *encoded.span(index), log_probability, rank)
        for index, (log_probability, rank) in zip(scored, measured, strict=True)
    ]


def _replaced(input_ids: list[int], index: int, token_id: int) -> list[int]:
    return [*input_ids[:index], token_id, *input_ids[index + 1 :]]
