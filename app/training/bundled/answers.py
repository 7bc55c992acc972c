"""The bundled models that find answers: the passages that they learn and are measured on, and how well they do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from app.engine.base import SpanFinder
from app.engine.text.passages import passage_windows
from app.engine.text.spans import SHARED_TOKENS, WINDOW_TOKENS, possible
from app.training.answers.generated.mixture import Mixture, read_mixture
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
        templates: file in `assets` with templates of more passages; empty if only written ones are learnt.
        words: file in `assets` with the words of the templates.
    """

    language: str
    learnt: str
    held_out: str
    golden: tuple[tuple[str, str], ...]
    templates: str = ""
    words: str = ""

    @property
    def files(self) -> list[str]:
        """What is learnt from."""
        return [name for name in (self.learnt, self.templates, self.words) if name]

    def mixed(self, assets: Path, seed: int) -> Callable[[Sequence[Asked]], Mixture] | None:
        """Mixes rows with generated ones, if there are templates."""
        if not self.templates:
            return None
        return partial(read_mixture, assets / self.templates, assets / self.words, seed=seed)


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

HOUSE = "王丽是一名护士，住在青岛。她的弟弟王强在成都开出租车。去年冬天，王丽的手表丢在医院的食堂里，是厨师老周捡到的。"
CHINESE_ANSWERS = AnswerSet(
    language="zh",
    learnt="everyday/answers_zh.txt",
    held_out="evaluation/answers_zh.txt",
    golden=(
        ("王丽住在哪里？", HOUSE),
        ("谁捡到了手表？", HOUSE),
        ("王强几岁？", HOUSE),
        ("还剩几个苹果？", "小明摘了十二个苹果，妹妹吃了四个，还剩八个。"),
        ("学校为什么停课？", "因为暖气坏了，学校星期一停课。"),
    ),
    templates="everyday/answers_zh_templates.txt",
    words="everyday/answers_zh_words.txt",
)


def measure_answers(finder: SpanFinder, rows: Sequence[Asked]) -> dict[str, Any]:
    """Scores on questions that had no part in training, next to those of the sentence most like the question.

    Where all of them have an answer, they are also asked of another passage each, to see whether it refuses.
    """
    found = answers_of(finder, rows)
    plain = [likest_sentence(row) for row in rows]
    there = [index for index, row in enumerate(rows) if row.answer is not None]
    none = [text for text, row in zip(found, rows, strict=True) if row.answer is None]
    return _both(found, rows, range(len(rows)), "") | {
        "rows": len(rows),
        "passages": len({row.passage for row in rows}),
        "answerable": len(there),
        **_both(found, rows, there, "answerable_"),
        "refused": fmean(not text for text in none or answers_of(finder, asked_elsewhere(rows))),
        "refused_wrongly": fmean(not found[index] for index in there),
        **_both(plain, rows, there, "likest_sentence_"),
    }


def asked_elsewhere(rows: Sequence[Asked]) -> list[Asked]:
    """Each question with the passage after its own."""
    passages = [*dict.fromkeys(row.passage for row in rows)]
    following = dict(zip(passages, [*passages[1:], passages[0]], strict=True))
    return [Asked(following[row.passage], row.question, None) for row in rows]


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
