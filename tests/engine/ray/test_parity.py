"""The cluster answers like this process: the same results within 1e-5, the same refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from app.engine.heads import CLASSIFICATION
from app.engine.runtime.loader import load_head
from app.errors import PlaygroundError
from app.registry.lookup import known
from app.tasks.attention import attention
from app.tasks.attention.layer_predictions import layer_predictions
from app.tasks.classification import classify
from app.tasks.classification.embed import embed
from app.tasks.fill_mask import fill_mask
from app.tasks.prompting import generate, next_token
from app.tasks.sentence_pair import sentence_pair
from app.tasks.surprise.score import score
from app.tasks.tokenization import tokenize
from app.tasks.zero_shot import zero_shot
from tests.checkpoints import CLASSIFIER
from tests.conftest import SetSetting
from tests.engine.ray.alike import differences

pytestmark = pytest.mark.usefixtures("on_cluster")

TEXTS = ["The soup is cold.", "A dog ran away from the cat and the cat ran into the house."]

QUESTIONS: dict[str, Callable[[], Any]] = {
    "fill_mask": lambda: fill_mask("The [MASK] ran [MASK].", "bert-mini", 5, ["dog"]),
    "sentence_pair": lambda: sentence_pair(*TEXTS, "bert-base-uncased"),
    "classify": lambda: classify(TEXTS, CLASSIFIER),
    "score": lambda: score("The dog ran over there.", "gpt2"),
    "score of a masked model": lambda: score("The dog ran over there.", "bert-mini"),
    "next_token": lambda: next_token("The soup", "gpt2"),
    "generate": lambda: generate("The soup", "gpt2", max_new_tokens=8, temperature=0),
    "zero_shot": lambda: zero_shot("The soup is cold.", ["food", "music"], "{text} This is about {label}.", "gpt2"),
    "embed": lambda: embed(TEXTS, "bert-mini"),
    "attention": lambda: attention(*TEXTS, "bert-mini", 1),
    "layer_predictions": lambda: layer_predictions("The [MASK] is cold.", "bert-mini"),
    "tokenize": lambda: tokenize("The soup is cold.", "bert-mini"),
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_both_engines_answer_alike(question: Callable[[], Any], set_setting: SetSetting) -> None:
    theirs = question()
    set_setting(engine="local")
    assert differences(question(), theirs) == []


REFUSED: dict[str, Callable[[], Any]] = {
    "missing_head": lambda: load_head(known("bert-mini"), CLASSIFICATION),
    "model_unavailable": lambda: fill_mask("The [MASK] ran.", "bert-base-cased"),
    "too_long": lambda: score("The dog ran. " * 2_000, "gpt2"),
}


@pytest.mark.parametrize("question", REFUSED.values(), ids=REFUSED)
def test_both_engines_refuse_alike(question: Callable[[], Any], set_setting: SetSetting) -> None:
    refused = []
    for engine in ("ray", "local"):
        set_setting(engine=engine)
        with pytest.raises(PlaygroundError) as error:
            question()
        refused.append((error.value.key, error.value.values))
    assert refused[0] == refused[1]
