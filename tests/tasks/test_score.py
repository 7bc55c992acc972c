"""Scores of whole texts against transformers' own outputs."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from app.errors import PlaygroundError
from app.tasks.surprise.score import score


@pytest.mark.slow
def test_causal_scores_equal_the_loss_of_transformers(published: Path) -> None:
    from transformers import GPT2LMHeadModel, GPT2TokenizerFast

    model = GPT2LMHeadModel.from_pretrained(published / "gpt2").eval()
    tokenizer = GPT2TokenizerFast.from_pretrained(published / "gpt2")
    text = "The cat sat on the mat, 😀 naïvely."
    ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text).input_ids]])
    with torch.inference_mode():
        loss = model(ids, labels=ids).loss.item()
    answered = score(text, "gpt2")
    assert answered.kind == "causal"
    assert len(answered.tokens) == ids.shape[1] - 1
    assert answered.log_probability == pytest.approx(-loss * (ids.shape[1] - 1), abs=1e-3)
    assert answered.perplexity == pytest.approx(math.exp(loss), rel=1e-5)


def test_masked_scores_equal_one_run_for_each_hidden_token(tiny: Path) -> None:
    from transformers import BertForMaskedLM, BertTokenizerFast

    model = BertForMaskedLM.from_pretrained(tiny / "bert-mini").eval()
    tokenizer = BertTokenizerFast.from_pretrained(tiny / "bert-mini")
    text = "The dog barked at the wonderful cat."
    ids = tokenizer(text, return_tensors="pt").input_ids
    expected, ranks = [], []
    for at in range(1, ids.shape[1] - 1):
        hidden = ids.clone()
        hidden[0, at] = tokenizer.mask_token_id
        with torch.inference_mode():
            distribution = model(hidden).logits[0, at].log_softmax(-1)
        expected.append(distribution[ids[0, at]].item())
        ranks.append(1 + int((distribution > distribution[ids[0, at]]).sum()))
    answered = score(text, "bert-mini")
    assert answered.kind == "masked"
    assert [token.log_probability for token in answered.tokens] == pytest.approx(expected, abs=1e-5)
    assert [token.rank for token in answered.tokens] == ranks
    assert answered.log_probability == pytest.approx(sum(expected), abs=1e-4)
    assert answered.perplexity == pytest.approx(math.exp(-sum(expected) / len(expected)), rel=1e-5)


def test_a_batch_gives_what_single_runs_give(tiny: Path) -> None:
    """Texts of very different length share padded batches."""
    from app.engine.base import MaskedRow
    from app.engine.runtime.loader import load_head
    from app.registry.checkpoint import MASKED_LM
    from app.registry.lookup import find

    for name in ("bert-mini", "roberta-base", "albert-base-v2"):
        model = load_head(find(name, "fill_mask"), MASKED_LM)
        rows = []
        for text in ("[MASK]", "The dog [MASK] at the cat and [MASK] away.", "words " * 60 + "[MASK]"):
            encoded = model.text.encode(text)
            rows.append(MaskedRow(encoded.input_ids, encoded.token_type_ids, encoded.mask_indices))
        together = list(model.masked_log_probabilities(rows))
        for row, answer in zip(rows, together, strict=True):
            assert answer == pytest.approx(next(model.masked_log_probabilities([row])), abs=1e-5)


def test_a_blank_in_a_scored_text_is_left_blank(tiny: Path) -> None:
    assert [token.token for token in score("the [MASK] dog", "bert-mini").tokens] == ["the", "dog"]


@pytest.mark.parametrize(
    ("text", "model", "code"),
    [
        ("", "gpt2", "empty_text"),
        ("words " * 1200, "gpt2", "too_long"),
        ("words " * 600, "bert-mini", "too_long"),
        ("[MASK]", "bert-mini", "empty_text"),
        ("a", "nope", "unknown_model"),
    ],
)
def test_bad_input_gets_its_code(tiny: Path, text: str, model: str, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        score(text, model)
    assert caught.value.code == code
