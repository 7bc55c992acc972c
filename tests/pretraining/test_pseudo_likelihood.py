"""Pseudo-log-likelihoods equal those from hiding one piece at a time in transformers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoTokenizer, RobertaForMaskedLM

from app.pretraining.evaluation.masked_answers import Judge
from app.pretraining.evaluation.pseudo_likelihood import pseudo_log_probabilities


@pytest.mark.parametrize("texts", [["The dog barked."], ["The cat ran away and the dog barked.", "The soup.", "Yes"]])
def test_each_piece_is_asked_with_all_others_in_sight(tiny: Path, texts: list[str]) -> None:
    folder = tiny / "roberta-base"
    model, tokenizer = RobertaForMaskedLM.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    whole = [tokenizer(text)["input_ids"] for text in texts]
    scores = pseudo_log_probabilities(Judge(model, tokenizer), [np.array(ids[:-1]) for ids in whole])
    for ids, row in zip(whole, scores, strict=True):
        assert len(row) == len(ids) - 2
        for place in range(1, len(ids) - 1):
            masked = torch.tensor([ids])
            masked[0, place] = tokenizer.mask_token_id
            with torch.inference_mode():
                expected = model(masked).logits[0, place].log_softmax(-1)[ids[place]]
            assert row[place - 1] == pytest.approx(float(expected), abs=1e-5)
