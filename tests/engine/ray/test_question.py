"""What is sent between processes; without a cluster, and without Ray."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.engine.base import MaskedRow
from app.engine.heads import MASKED_LM
from app.engine.ray.question import Question, reading_of
from app.engine.ray.surface import ATTRIBUTES, METHODS, STREAMED
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import known


@pytest.fixture
def loaded(tiny: Path) -> Loaded:
    """A tiny BERT in memory."""
    return loader().get(known("bert-mini"))


def test_the_protocols_say_what_crosses() -> None:
    assert {"checkpoint", "text", "max_tokens", "labels", "end_ids", "words"} <= ATTRIBUTES
    assert {"generate", "masked_log_probabilities", "hidden_states", "label_logits"} <= STREAMED < set(METHODS)
    assert {"token_scores", "pair_logits", "attentions", "encode"} <= set(METHODS) - STREAMED


def test_a_question_and_its_answer_survive_the_way(loaded: Loaded) -> None:
    row = MaskedRow([2, 4, 3], [0, 0, 0], [1])
    question = Question(known("bert-mini"), MASKED_LM, reading_of(loaded)).of("masked_log_probabilities", ([row],), {})
    (answer,) = pickle.loads(pickle.dumps(question)).answer(loaded)
    (expected,) = loaded.head(MASKED_LM).masked_log_probabilities([row])
    assert np.array_equal(pickle.loads(pickle.dumps(answer)), expected)


def test_attributes_cross_with_the_tokenizer(loaded: Loaded) -> None:
    attributes = Question(known("bert-mini"), MASKED_LM, reading_of(loaded)).answer(loaded)
    arrived, here = pickle.loads(pickle.dumps(attributes)), loaded.head(MASKED_LM)
    assert (arrived["max_tokens"], arrived["checkpoint"]) == (here.max_tokens, here.checkpoint)
    assert arrived["text"].encode("A [MASK] ran.") == here.text.encode("A [MASK] ran.")


def test_ids_of_another_vocabulary_are_refused(loaded: Loaded) -> None:
    question = Question(known("bert-mini"), MASKED_LM, reading_of(loaded))
    with pytest.raises(PlaygroundError, match="busy"):
        replace(question, reads=question.reads + 1).answer(loaded)


def test_one_row_is_answered_at_once_and_a_prompt_of_one_token_is_no_row(loaded: Loaded) -> None:
    asked = Question(known("bert-mini"), MASKED_LM, reading_of(loaded))
    row = MaskedRow([2, 4, 3], [0, 0, 0], [1])
    question = replace(asked.of("masked_log_probabilities", ([row],), {}), whole=True)
    assert question.single and isinstance(question.answer(loaded), list)
    assert not replace(question, arguments=([row, row],)).single
    assert not replace(question, arguments=([5], 3)).single
