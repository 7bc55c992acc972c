"""Fills several masks together by beam search: the most certain mask first, with a new pass after each fill."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.base import MaskedRow
from app.engine.text.text_tokenizer import clean
from app.results.text import JointAnswer
from app.tasks.fill_mask.question import Question

BEAMS = 5


@dataclass(frozen=True)
class Beam:
    """A partly filled text."""

    input_ids: tuple[int, ...]
    open_masks: tuple[int, ...]  # indices of masks not filled yet
    log_probability: float


def fill_jointly(question: Question, distributions: np.ndarray, top_k: int) -> list[JointAnswer]:
    """The best joint fillings.

    Args:
        question: the text and its model.
        distributions: log-probabilities [mask, vocabulary] before any fill; saves the first pass.
        top_k: maximum number of answers, capped by the number of beams.
    """
    width = min(max(top_k, BEAMS), 2 * BEAMS)
    encoded = question.encoded
    beams = [Beam(tuple(encoded.input_ids), tuple(encoded.mask_indices), 0.0)]
    beams = _expand(question, beams, [distributions], width)
    while beams[0].open_masks:
        rows = [MaskedRow(list(beam.input_ids), encoded.token_type_ids, list(beam.open_masks)) for beam in beams]
        beams = _expand(question, beams, list(question.model.masked_log_probabilities(rows)), width)
    return [_answer(question, beam) for beam in beams[: min(top_k, width)]]


def _expand(question: Question, beams: list[Beam], distributions: list[np.ndarray], width: int) -> list[Beam]:
    """Fill each beam's most certain mask with its best pieces, and keep the best beams."""
    special = [token_id for token_id in question.model.text.special_ids if token_id < distributions[0].shape[-1]]
    grown: dict[tuple[int, ...], Beam] = {}
    for beam, distribution in zip(beams, distributions, strict=True):
        allowed = distribution.copy()
        allowed[:, special] = -np.inf  # a special token is not a word
        row = int(allowed.max(axis=-1).argmax())
        mask = beam.open_masks[row]
        for token_id in np.argsort(-allowed[row], kind="stable")[:width].tolist():
            filled = (*beam.input_ids[:mask], token_id, *beam.input_ids[mask + 1 :])
            left = tuple(other for other in beam.open_masks if other != mask)
            new = Beam(filled, left, beam.log_probability + float(allowed[row, token_id]))
            if filled not in grown or grown[filled].log_probability < new.log_probability:
                grown[filled] = new
    return sorted(grown.values(), key=lambda beam: -beam.log_probability)[:width]


def _stands_apart(question: Question, token_id: int) -> bool:
    """Whether a space goes before this piece, between two blanks without one."""
    content = question.model.text.content(token_id)
    return content.startswith(b" ") and content[1:].decode("utf-8", "replace")[:1].isalnum()


def _answer(question: Question, beam: Beam) -> JointAnswer:
    encoded, text = question.encoded, clean(question.text)
    words = [question.model.text.show(beam.input_ids[index]).strip() for index in encoded.mask_indices]
    written, last = "", 0
    for index, word in zip(encoded.mask_indices, words, strict=True):
        start, end = encoded.span(index)
        written += text[last:start]
        if word.startswith("##") and len(word) > 2:  # a WordPiece continuation belongs to the word before it
            written = written.rstrip() + word[2:]
        else:
            written += " " * (last == start and written != "" and _stands_apart(question, beam.input_ids[index])) + word
        last = end
    return JointAnswer(words, written + text[last:], beam.log_probability)
