"""Every kind of head answers requests that share a pass as it answers them alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.engine.base import MaskedRow
from app.engine.runtime.batcher import Batcher
from app.engine.runtime.loaded import Loaded
from app.engine.runtime.loader import load
from app.registry.checkpoint import CAUSAL_LM, CLASSIFICATION, MASKED_LM, NEXT_SENTENCE, SENTENCE_ORDER, TOKEN_VECTORS
from app.registry.lookup import BY_NAME, for_task
from tests.checkpoints import SENTENCES
from tests.engine.test_batcher import at_once, gathered
from tests.tasks.classifiers import FAMILIES, build_loaded

TEXTS = [" ".join(SENTENCES[0].split()[:count]) for count in (3, 5, 8, 8, 12)] + SENTENCES[1:5]


def test_a_fork_does_not_wait_for_threads_that_it_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = build_loaded("bert")
    row = loaded.text.encode("The dog barked.")
    before = loaded.head(CLASSIFICATION)
    before._batcher._busy = True  # as in a fork that was made while another thread ran a batch
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert len(list(loaded.head(CLASSIFICATION).label_logits([row]))) == 1


def test_an_abandoned_request_runs_no_further_batch() -> None:
    loaded = build_loaded("bert")
    encoder, row = loaded.head(TOKEN_VECTORS), loaded.text.encode(" ".join(TEXTS))
    passes = count_passes(loaded)
    answers = encoder.hidden_states([row] * (3 * 2_048 // len(row.input_ids)), [0])
    next(answers)
    answers.close()
    assert passes == [1] and not encoder._batcher._waiting


def count_passes(loaded: Loaded) -> list[int]:
    """Rows or tokens of each pass to come, counted at the embeddings."""
    passes: list[int] = []
    model = loaded.model
    module = model.elmo.encoder if hasattr(model, "elmo") else model.get_input_embeddings()
    module.register_forward_hook(lambda module, given, output: passes.append(len(given[0])))
    return passes


def together(loaded: Loaded, batcher: Batcher, asks: Sequence[Callable[[], Any]]) -> list[Any]:
    """All of them while the model is busy, so that they meet in one batch."""
    with loaded.lock:
        threads, found = at_once(asks)
        gathered(batcher, len(asks))
    for thread in threads:
        thread.join(120)
    return found


def same(alone: list[Any], shared: list[Any]) -> None:
    """Within what float32 leaves open."""
    for one, other in zip(alone, shared, strict=True):
        assert type(one) is type(other), other
        if isinstance(one, np.ndarray):
            # Relative to the largest number: float32 has seven digits, and hidden states of gpt2-mini reach 146.
            most = max(1.0, float(np.abs(other).max(initial=0)))
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5 * most)
        else:
            same(list(one), list(other))


def meet(loaded: Loaded, batcher: Batcher, asks: Sequence[Callable[[], Any]]) -> None:
    """Alone and together they must answer the same; together in fewer passes."""
    passes = count_passes(loaded)
    alone = [ask() for ask in asks]
    count, passes[:] = len(passes), []
    same(alone, together(loaded, batcher, asks))
    assert len(passes) < count


def masked(loaded: Loaded) -> tuple[Batcher, list[Callable[[], Any]]]:
    head = loaded.head(MASKED_LM)
    rows = []
    for text in TEXTS:
        encoded = loaded.text.encode(text)
        rows.append(MaskedRow(encoded.input_ids, encoded.token_type_ids, [1, len(encoded.input_ids) - 2]))
    return head._batcher, [lambda row=row: list(head.masked_log_probabilities([row])) for row in rows]


def pairs(loaded: Loaded) -> tuple[Batcher, list[Callable[[], Any]]]:
    head = loaded.head(NEXT_SENTENCE if NEXT_SENTENCE in loaded.heads else SENTENCE_ORDER)
    rows = [loaded.text.pair(loaded.text.part(text), loaded.text.part(TEXTS[0])) for text in TEXTS]
    return head._batcher, [lambda row=row: head.pair_logits([row]) for row in rows]


def labels(loaded: Loaded) -> tuple[Batcher, list[Callable[[], Any]]]:
    head = loaded.head(CLASSIFICATION)
    rows = [loaded.text.encode(text) for text in TEXTS]
    return head._batcher, [lambda row=row: [made for _, made in head.label_logits([row])] for row in rows]


def vectors(loaded: Loaded) -> tuple[Batcher, list[Callable[[], Any]]]:
    head = loaded.head(TOKEN_VECTORS)
    asked = [(head.encode(text), [[0, head.layers], [head.layers], [1, 0]][at % 3]) for at, text in enumerate(TEXTS)]
    return head._batcher, [lambda a=a: [made for _, made in head.hidden_states([a[0]], a[1])] for a in asked]


def scores(loaded: Loaded) -> tuple[Batcher, list[Callable[[], Any]]]:
    head = loaded.head(CAUSAL_LM)
    ids = [loaded.text.encode(text).input_ids for text in TEXTS]
    return head._scoring, [lambda one=one: head.token_scores(one) for one in ids]


def continuations(loaded: Loaded) -> tuple[Batcher, list[Callable[[], Any]]]:
    head = loaded.head(CAUSAL_LM)
    ids = [loaded.text.encode(text).input_ids for text in TEXTS]
    following = [[ids[at][:1], ids[at - 1][:3], ids[at - 2][:2]][: 1 + at % 3] for at in range(len(ids))]
    asked = list(zip(ids, following, strict=True))
    return head._choosing, [lambda a=a: head.continuation_scores(*a) for a in asked]


KINDS = {
    MASKED_LM: [masked],
    NEXT_SENTENCE: [pairs],
    SENTENCE_ORDER: [pairs],
    CLASSIFICATION: [labels],
    TOKEN_VECTORS: [vectors],
    CAUSAL_LM: [scores, continuations],
}


def meet_in_every_kind(loaded: Loaded) -> None:
    """All kinds of passes that a checkpoint has."""
    kinds = [kind for head in sorted(loaded.heads) for kind in KINDS.get(head, [])]
    assert kinds
    for kind in kinds:
        meet(loaded, *kind(loaded))


@pytest.mark.parametrize("name", ["bert-mini", "roberta-base", "albert-base-v2", "gpt2", "elmo-original"])
def test_together_as_alone(name: str, tiny: Path) -> None:
    meet_in_every_kind(load(BY_NAME[name]))


@pytest.mark.parametrize("family", FAMILIES)
def test_classifiers_together_as_alone(family: str) -> None:
    meet_in_every_kind(build_loaded(family))


@pytest.mark.parametrize("name", sorted(one.name for one in for_task("") if one.source == "bundled"))
def test_the_bundled_together_as_alone(name: str) -> None:
    if BY_NAME[name].family == "static_vectors":
        pytest.skip("has no context: one word after the other is looked up")
    meet_in_every_kind(load(BY_NAME[name]))
