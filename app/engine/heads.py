"""The heads a checkpoint may have, each with the protocol that its adapter answers.

A key is the plain string of the catalog and of JSON; a type checker also reads from it what `load_head` returns.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from app.engine.base import Attentive, CausalLM, Classifier, MaskedLM, PairJudge, SpanFinder, Tagger, TokenEncoder
from app.engine.text.words import TwoWayLM, VocabularyNeighbours
from app.registry import checkpoint as names

Answers = TypeVar("Answers")


class Head(str, Generic[Answers]):
    """A head's name; `Answers` is the protocol of the object that serves it."""

    __slots__ = ()


MASKED_LM: Head[MaskedLM] = Head(names.MASKED_LM)
CAUSAL_LM: Head[CausalLM] = Head(names.CAUSAL_LM)
NEXT_SENTENCE: Head[PairJudge] = Head(names.NEXT_SENTENCE)
SENTENCE_ORDER: Head[PairJudge] = Head(names.SENTENCE_ORDER)
CLASSIFICATION: Head[Classifier[Any]] = Head(names.CLASSIFICATION)
TOKEN_CLASSIFICATION: Head[Tagger] = Head(names.TOKEN_CLASSIFICATION)
QUESTION_ANSWERING: Head[SpanFinder] = Head(names.QUESTION_ANSWERING)
ATTENTION: Head[Attentive] = Head(names.ATTENTION)
# An encoder reads back the rows that it made itself; no caller depends on their type.
TOKEN_VECTORS: Head[TokenEncoder[Any]] = Head(names.TOKEN_VECTORS)
TWO_WAY_LM: Head[TwoWayLM] = Head(names.TWO_WAY_LM)
VOCABULARY_NEIGHBOURS: Head[VocabularyNeighbours] = Head(names.VOCABULARY_NEIGHBOURS)

# By name: which pair head a checkpoint has, its files say.
PAIR_HEADS: dict[str, Head[PairJudge]] = {head: head for head in (NEXT_SENTENCE, SENTENCE_ORDER)}
