"""The bundled models that find answers: the passages that they learn and are measured on, and how well they do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import torch

from app.engine.base import SpanFinder
from app.engine.text.passages import passage_windows
from app.engine.text.spans import SHARED_TOKENS, WINDOW_TOKENS, possible
from app.training.answers.learner import best_answer
from app.training.answers.rows import Asked
from app.training.answers.scores import exact, overlap, words_of


@dataclass(frozen=True)
class AnswerSet:
    """Questions about passages, written for this project.

    Attributes:
        language: of the passages.
        learnt: file in `assets` with what to train on.
        held_out: file in `assets` with what is only measured on.
        golden: questions and passages whose answers are pinned.
    """

    language: str
    learnt: str
    held_out: str
    golden: tuple[tuple[str, str], ...]


LETTER = "On Sunday Maria wrote a letter to her brother Paul. He read it on the train to Leeds."
ANSWERS = AnswerSet(
    language="en",
    learnt="everyday/answers_en.txt",
    held_out="evaluation/answers_en.txt",
    golden=(
        ("Who is Maria's brother?", LETTER),
        ("Where did Paul read it?", LETTER),
        ("What did it cost?", LETTER),
        (
            "How many apples are left?",
            "Tom picked twelve apples. His sister ate four of them, so eight are left.",
        ),
        ("Why was school closed?", "School was closed on Monday because the heating had broken down."),
    ),
)


def measure_answers(finder: SpanFinder, rows: Sequence[Asked]) -> dict[str, Any]:
    """Scores on questions that had no part in training, next to those of the sentence most like the question."""
    found = answers_of(finder, rows)
    plain = [likest_sentence(row) for row in rows]
    there = [index for index, row in enumerate(rows) if row.answer is not None]
    none = [index for index, row in enumerate(rows) if row.answer is None]
    return _both(found, rows, range(len(rows)), "") | {
        "rows": len(rows),
        "passages": len({row.passage for row in rows}),
        "answerable": len(there),
        **_both(found, rows, there, "answerable_"),
        "refused": fmean(not found[index] for index in none),
        "refused_wrongly": fmean(not found[index] for index in there),
        **_both(plain, rows, there, "likest_sentence_"),
    }


def _both(found: Sequence[str], rows: Sequence[Asked], chosen: Sequence[int], name: str) -> dict[str, float]:
    """Exact matches and F1 over some of the rows."""
    pairs = [(found[index], rows[index].answer_text) for index in chosen]
    return {f"{name}exact": fmean(exact(*pair) for pair in pairs), f"{name}f1": fmean(overlap(*pair) for pair in pairs)}


def answers_of(finder: SpanFinder, rows: Sequence[Asked]) -> list[str]:
    """The likeliest answer to each question, empty where "no answer" is likelier."""
    limit = min(WINDOW_TOKENS, finder.max_tokens)
    windows = [passage_windows(finder.text, row.question, row.passage, limit, SHARED_TOKENS)[0] for row in rows]
    found = [""] * len(rows)
    for index, logits in finder.span_logits([window.encoded for window in windows]):
        scores = torch.tensor(logits).masked_fill(~torch.from_numpy(possible(windows[index])), -torch.inf)
        found[index] = best_answer(rows[index].passage, windows[index], scores.softmax(dim=-1).numpy())
    return found


def likest_sentence(row: Asked) -> str:
    """The sentence of the passage that shares most words with the question: an answer without a model."""
    asked = set(words_of(row.question))
    return max(re.split(r"(?<=[.!?]) |(?<=[。！？])", row.passage), key=lambda one: len(asked & set(words_of(one))))


def golden_answers(finder: SpanFinder, pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Each question and passage with the answer."""
    found = answers_of(finder, [Asked(passage, question, None) for question, passage in pairs])
    return [{"question": question, "passage": passage, "answer": answer}
            for (question, passage), answer in zip(pairs, found, strict=True)]  # fmt: skip
