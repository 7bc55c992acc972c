"""A published encoder that is trained further: base plus delta is the trained model."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from transformers import BertConfig, BertForPreTraining

from app.models.delta import merge_delta, with_prefix
from app.models.low_rank import LowRankEmbedding
from app.pretraining.families import bert_adapter, family_of
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
    family = family_of(RECIPES["minilm_l6"])
    optimizer = torch.optim.AdamW(family.parameter_groups(model), lr=1e-3)
    special = type(SPECIAL)(cls=2, sep=3, mask=4, pad=0, vocab_size=CONFIG.vocab_size)
    batches = masked_pairs(toy_corpus(), special, masking=0, seed=1, lengths=(32,), tokens_per_batch=256)
    for _ in range(steps):
        family.loss(model, next(batches), CPU, torch.float32).backward()
        optimizer.step()
        optimizer.zero_grad()
    return model.eval()


def plain(model: BertForPreTraining, published: dict[str, torch.Tensor], folder: Path) -> BertForPreTraining:
    """What a page loads: the published base with the delta merged in."""
    save_file(bert_adapter.delta_of(model, with_prefix(published)), folder / "delta.safetensors", {"scale": "1.0"})
    merged = BertForPreTraining(CONFIG).eval()
    merged.load_state_dict(merge_delta(published, folder / "delta.safetensors"))
    return merged


def answers(model: BertForPreTraining, ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(logits of all pieces, logits of the pair) of a model in training or of a plain one."""
    table = model.bert.embeddings.word_embeddings
    weight = table.merged_weight() if isinstance(table, LowRankEmbedding) else table.weight
    output = model.bert(ids, token_type_ids=(torch.arange(ids.shape[1]) > 9).long().expand_as(ids))
    hidden = model.cls.predictions.transform(output.last_hidden_state)
    return hidden @ weight.T + model.cls.predictions.bias, model.cls.seq_relationship(output.pooler_output)


def some_ids() -> torch.Tensor:
    ids = torch.from_numpy(np.random.default_rng(0).integers(3, 600, (4, 20)))
    ids[:, 5] = 4
    return ids


def test_nothing_has_changed_before_the_first_step(base: BertForPreTraining) -> None:
    with torch.inference_mode():
        expected = answers(base.eval(), some_ids())
        adapted = answers(bert_adapter.adapt(base, rank=4, mask_id=4).eval(), some_ids())
    torch.testing.assert_close(adapted, expected)


def test_base_plus_delta_is_the_trained_model(base: BertForPreTraining, tmp_path: Path) -> None:
    published = {name: tensor.clone() for name, tensor in base.bert.state_dict().items()}
    adapted = trained(bert_adapter.adapt(base, rank=4, mask_id=4))
    with torch.inference_mode():
        ours, theirs = answers(plain(adapted, published, tmp_path), some_ids()), answers(adapted, some_ids())
    torch.testing.assert_close(ours, theirs, atol=5e-3, rtol=5e-3)


def test_a_bundle_is_taken_over_and_trained_on(
    base: BertForPreTraining, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    published, start = {n: t.clone() for n, t in base.bert.state_dict().items()}, copy.deepcopy(base)
    adapted = trained(bert_adapter.adapt(base, rank=4, mask_id=4))
    merged = plain(adapted, published, tmp_path)
    family = family_of(RECIPES["minilm_l6"])
    monkeypatch.setattr(family, "load", lambda folder: (merged, None))
    again = bert_adapter.adapt(start, rank=4, mask_id=4)
    family.take_over(again, tmp_path)
    with torch.inference_mode():
        ours, theirs = answers(again.eval(), some_ids()), answers(merged, some_ids())
    torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-4)


def test_the_base_table_stays_and_all_else_moves(base: BertForPreTraining) -> None:
    adapted = bert_adapter.adapt(base, rank=4, mask_id=4)
    before = {name: parameter.detach().clone() for name, parameter in adapted.named_parameters()}
    trained(adapted, steps=4)
    still = {name for name, parameter in adapted.named_parameters() if torch.equal(parameter, before[name])}
    assert still == {"bert.embeddings.word_embeddings.base.weight"}


def test_a_lone_sentences_own_words_are_what_is_not_to_be_said() -> None:
    arrays = {
        "input_ids": torch.tensor([[101, 3000, 1996, 103, 4000, 102], [101, 3000, 102, 103, 5000, 102]]),
        "masked_positions": torch.tensor([3, 4, 9]),
        "masked_labels": torch.tensor([6000, 4000, 7000]),
        "next_sentence_label": torch.tensor([-100, 0]),
    }
    assert bert_adapter.words_beside(arrays).tolist() == [[4000, 3000], [3000, -1], [-1, -1]]


def test_a_wrong_or_missing_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="pip install"):
        PackagedFile("no-such-package-anywhere", "1", "model.safetensors", "0" * 64).checked()
    with pytest.raises(ValueError, match="not the file"):
        PackagedFile("torch", "1", "torch/version.py", "0" * 64).checked()
