"""The exact probability of any word at a mask, whatever its number of pieces.

A word of k pieces becomes k masks; its pieces are then revealed from left to right, and their conditional
log-probabilities are added (Kauf and Ivanova 2023, arXiv 2305.10588, discuss this and other orders).
"""

from __future__ import annotations

import numpy as np

from app.engine.base import MaskedRow
from app.engine.text.text_tokenizer import TextTokenizer, clean
from app.errors import PlaygroundError
from app.results.text import Target
from app.tasks.checks import check_tokens
from app.tasks.fill_mask.question import Question


def score_targets(question: Question, distribution: np.ndarray, words: list[str]) -> list[Target]:
    """Score words at the first mask.

    Args:
        question: the text and its model.
        distribution: log-probabilities [vocabulary] at the first mask.
        words: the words to score.

    Raises:
        PlaygroundError: `word_not_found`, the model has no pieces for a word; `too_long`, it does not fit.
    """
    pieces = [pieces_of(question, word) for word in words]
    rows = [row for ids in pieces if len(ids) > 1 for row in _revealing_rows(question, ids)]
    answers = question.model.masked_log_probabilities(rows)
    targets: list[Target] = []
    for word, ids in zip(words, pieces, strict=True):
        if len(ids) > 1:
            log_probability, rank = sum(float(next(answers)[0, token_id]) for token_id in ids), None
        else:
            log_probability = float(distribution[ids[0]])
            rank = 1 + int((distribution > distribution[ids[0]]).sum())
        same = next((words[at] for at in range(len(targets)) if pieces[at] == ids), None)
        shown = [question.model.text.piece(token_id) for token_id in ids]
        targets.append(Target(word, shown, float(np.exp(log_probability)), log_probability, rank, same))
    return targets


def pieces_of(question: Question, word: str) -> list[int]:
    """The word's token ids after the text before the first mask (RoBERTa's pieces include the space before).

    The tokenizer splits the text with the word in place of the mask. If a piece straddles the edge of that place (for
    example, a quotation mark and the word's first letters), the text on that side is left out. Pieces that do not spell
    the whole word are never used.
    """
    text_tokenizer, encoded = question.model.text, question.encoded
    vocabulary = text_tokenizer.tokenizer.get_vocab()
    if word.startswith("##") and word in vocabulary:
        return [vocabulary[word]]
    start, end = encoded.span(encoded.mask_indices[0])
    text = clean(question.text)
    for left, right in ((text[:start], text[end:]), (text[:start], ""), ("", text[end:]), ("", "")):
        ids = _between(text_tokenizer, left, word, right)
        if ids and not left and text[:start] and not text[start - 1].isspace():
            ids = _within_a_word(text_tokenizer, ids)
        if ids and text_tokenizer.unknown_id not in ids and text_tokenizer.mask_id not in ids:
            return ids
    raise PlaygroundError("word_not_found", "no_pieces", word=word, model=question.model.checkpoint.name)


def _between(tokenizer: TextTokenizer, left: str, word: str, right: str) -> list[int]:
    """The word's pieces between two texts; empty if one of them extends into either text.

    The space before a word may be a piece of its own that covers no characters; it belongs to the word.
    """
    encoded = tokenizer.encode(left + word + right, add_special_tokens=False)
    start, end = len(left), len(left) + len(word)
    touching = [
        (token_id, span)
        for token_id, span in zip(encoded.input_ids, encoded.offsets, strict=True)
        if span is not None and span[0] < end and (start < span[1] or start == span[0])
    ]
    if not touching or any(span[0] < start or end < span[1] for _, span in touching):
        return []
    return [token_id for token_id, _ in touching]


def _within_a_word(tokenizer: TextTokenizer, ids: list[int]) -> list[int]:
    """The same pieces, without the first one's leading space if the vocabulary has such a piece."""
    bare = tokenizer.piece(ids[0]).lstrip("\u2581\u0120")
    known = tokenizer.tokenizer.get_vocab().get(bare)
    return ids if known is None else [known, *ids[1:]]


def _revealing_rows(question: Question, ids: list[int]) -> list[MaskedRow]:
    encoded, mask = question.encoded, question.encoded.mask_indices[0]
    length = len(encoded.input_ids) + len(ids) - 1
    check_tokens(length, question.model.max_tokens)
    types = encoded.token_type_ids
    rows = []
    for known in range(len(ids)):
        written = [*ids[:known], *[question.model.text.mask] * (len(ids) - known)]
        input_ids = [*encoded.input_ids[:mask], *written, *encoded.input_ids[mask + 1 :]]
        token_type_ids = [*types[:mask], *[types[mask]] * len(ids), *types[mask + 1 :]]
        rows.append(MaskedRow(input_ids, token_type_ids, [mask + known]))
    return rows
