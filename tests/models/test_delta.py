"""A delta file merged into a base gives the same as peft's merge, and refuses files that do not belong together."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor
from transformers import (
    BertConfig,
    BertForPreTraining,
    BertForSequenceClassification,
    BertModel,
    RobertaConfig,
    RobertaForMaskedLM,
    RobertaForSequenceClassification,
)

from app.models.delta import change_in_steps, make_delta, merge_delta, nearest_of_rank

TINY_SHAPE = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 32,
}
TINY = BertConfig(**TINY_SHAPE)
QUERY = "bert.encoder.layer.0.attention.self.query"


def bare_base() -> dict[str, Tensor]:
    """A headless encoder's state dict, as published ones are."""
    torch.manual_seed(0)
    return BertModel(TINY).state_dict()


def written(folder: Path, tensors: dict[str, Tensor], scale: float = 2.0) -> Path:
    """A delta file."""
    path = folder / "delta.safetensors"
    save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path, {"scale": str(scale)})
    return path


def heads() -> dict[str, Tensor]:
    """Head weights as a delta carries them."""
    torch.manual_seed(1)
    state = BertForPreTraining(TINY).state_dict()
    return {name: t for name, t in state.items() if name.startswith("cls.") and "decoder" not in name}


def test_a_change_in_steps_is_near_the_tuned_weight(tmp_path: Path) -> None:
    base, change = bare_base(), torch.randn(16, 16) * torch.logspace(-4, 0, 16)[:, None]
    change[3] = 0.0
    plain = base[QUERY.removeprefix("bert.") + ".weight"]
    path = written(tmp_path, heads() | change_in_steps(QUERY, plain, plain + change), scale=1.0)
    off = (merge_delta(base, path)[f"{QUERY}.weight"] - plain - change).abs()
    assert (off <= change.abs().amax(dim=1, keepdim=True) / 240 + 1e-7).all(), "half a step of each row's own size"


def test_low_rank_change_is_added_to_the_weight(tmp_path: Path) -> None:
    base, a, b = bare_base(), torch.randn(3, 16), torch.randn(16, 3)
    path = written(tmp_path, heads() | {f"{QUERY}.lora_A": a, f"{QUERY}.lora_B": b})
    merged = merge_delta(base, path)
    plain = base[QUERY.removeprefix("bert.") + ".weight"]
    torch.testing.assert_close(merged[f"{QUERY}.weight"], plain + 2.0 * b @ a)
    assert torch.equal(plain, bare_base()[QUERY.removeprefix("bert.") + ".weight"]), "the base is left as it was"


def test_rows_and_whole_parameters_are_replaced(tmp_path: Path) -> None:
    base, row, norm = bare_base(), torch.randn(16), torch.randn(16)
    name = "bert.embeddings.word_embeddings.weight"
    delta = heads() | {f"{name}.row.7": row, "bert.embeddings.LayerNorm.weight": norm}
    merged = merge_delta(base, written(tmp_path, delta))
    others = [index for index in range(50) if index != 7]
    torch.testing.assert_close(merged[name][7], row)
    assert torch.equal(merged[name][others], base[name.removeprefix("bert.")][others])
    torch.testing.assert_close(merged["bert.embeddings.LayerNorm.weight"], norm)


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_the_result_is_a_whole_model_with_tied_decoder(tmp_path: Path, prefix: str) -> None:
    base = {prefix + name: tensor.half() for name, tensor in bare_base().items()}
    base[f"{prefix}embeddings.position_ids"] = torch.arange(32)[None]
    model = BertForPreTraining(TINY)
    model.load_state_dict(merge_delta(base, written(tmp_path, heads())), strict=True)
    assert model.dtype == torch.float32
    assert torch.equal(model.cls.predictions.decoder.weight, model.bert.embeddings.word_embeddings.weight)


def test_a_delta_for_another_base_is_refused(tmp_path: Path) -> None:
    other = {"bert.encoder.layer.9.output.dense.lora_A": torch.zeros(2, 32)}
    other["bert.encoder.layer.9.output.dense.lora_B"] = torch.zeros(16, 2)
    with pytest.raises(KeyError):
        merge_delta(bare_base(), written(tmp_path, other))


def test_equals_the_model_that_peft_merges(tmp_path: Path) -> None:
    peft = pytest.importorskip("peft", reason="peft is a development requirement")
    torch.manual_seed(2)
    model = BertForPreTraining(TINY).eval()
    base = {name: tensor.clone() for name, tensor in model.bert.state_dict().items()}
    head = {
        name: t.clone() for name, t in model.state_dict().items() if name.startswith("cls.") and "decoder" not in name
    }
    config = peft.LoraConfig(
        r=4,
        lora_alpha=6,
        init_lora_weights=False,
        target_modules=["query", "value", "dense"],
        exclude_modules=r"(.*pooler|cls).*",
    )
    adapted = peft.get_peft_model(model, config)
    delta = {
        name.removeprefix("base_model.model.").replace(".default.weight", ""): tensor.detach().clone()
        for name, tensor in adapted.named_parameters()
        if "lora_" in name
    }
    assert len(delta) == 2 * 5 * TINY.num_hidden_layers, "five adapted layers in each, A and B"
    expected = adapted.merge_and_unload()
    ours = BertForPreTraining(TINY).eval()
    ours.load_state_dict(merge_delta(base, written(tmp_path, head | delta, scale=6 / 4)))
    ids = torch.randint(0, 50, (2, 9))
    with torch.inference_mode():
        torch.testing.assert_close(ours(ids).prediction_logits, expected(ids).prediction_logits, atol=1e-5, rtol=1e-5)


def test_a_delta_made_of_tuned_weights_leads_back_to_them(tmp_path: Path) -> None:
    base = bare_base()
    torch.manual_seed(4)
    tuned = {f"bert.{name}": tensor.clone() for name, tensor in base.items()}
    tuned[QUERY + ".weight"] += torch.randn(16, 3) @ torch.randn(3, 16) * 0.1
    tuned["bert.pooler.dense.weight"] = torch.randn(16, 16)
    tuned["classifier.weight"] = torch.randn(2, 16)
    delta = make_delta(base, tuned, rank=3)
    assert set(delta) == {QUERY + ".lora_A", QUERY + ".lora_B", "bert.pooler.dense.weight", "classifier.weight"}
    merged = merge_delta(base, written(tmp_path, delta, scale=1.0))
    assert set(merged) == set(tuned), "a classifier has no decoder"
    for name, expected in tuned.items():
        torch.testing.assert_close(merged[name], expected, atol=2e-3, rtol=2e-3)


def test_a_change_of_a_rank_in_steps_takes_half_the_bytes_and_is_near(tmp_path: Path) -> None:
    base = bare_base()
    torch.manual_seed(5)
    tuned = {f"bert.{name}": tensor.clone() for name, tensor in base.items()}
    tuned[QUERY + ".weight"] += torch.randn(16, 3) @ torch.randn(3, 16)
    exact, steps = (make_delta(base, tuned, rank=3, in_steps=one) for one in (False, True))
    assert steps[QUERY + ".lora_A"].dtype == steps[QUERY + ".lora_B"].dtype == torch.int8
    assert steps[QUERY + ".lora_A"].shape == exact[QUERY + ".lora_A"].shape == (3, 16)
    merged = merge_delta(base, written(tmp_path, steps, scale=1.0))
    off = (merged[QUERY + ".weight"] - tuned[QUERY + ".weight"]).norm()
    assert 0 < off < 0.02 * (tuned[QUERY + ".weight"] - base[QUERY.removeprefix("bert.") + ".weight"]).norm()


def test_the_nearest_of_a_rank_is_what_a_delta_leads_to(tmp_path: Path) -> None:
    base, name = bare_base(), QUERY + ".weight"
    torch.manual_seed(6)
    start = base[name.removeprefix("bert.")]
    tuned = {f"bert.{key}": tensor.clone() for key, tensor in base.items()} | {name: start + torch.randn(16, 16)}
    merged = merge_delta(base, written(tmp_path, make_delta(base, tuned, rank=3), scale=1.0))
    nearest = nearest_of_rank(name, start, tuned[name], 3)
    torch.testing.assert_close(merged[name], nearest, atol=1e-2, rtol=1e-2)
    assert torch.linalg.matrix_rank(nearest - start, rtol=1e-4) == 3
    assert torch.equal(nearest_of_rank(name, start, tuned[name], 8), tuned[name]), "small ones are stored whole"


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_the_base_may_come_with_heads_and_the_whole_change_is_small(tmp_path: Path, kind: str) -> None:
    make = {"bert": (BertForPreTraining, BertForSequenceClassification, TINY)}
    make["roberta"] = (RobertaForMaskedLM, RobertaForSequenceClassification, RobertaConfig(**TINY_SHAPE))
    base_class, tuned_class, config = make[kind]
    base, model = base_class(config).state_dict(), tuned_class(config)
    of_base = {name: tensor for name, tensor in base.items() if name in model.state_dict()}
    tuned = model.state_dict() | {name: tensor.clone() for name, tensor in of_base.items()}
    words = f"{kind}.embeddings.word_embeddings.weight"
    tuned[words] += torch.randn(50, 2) @ torch.randn(2, 16)  # what training does to all words alike
    delta = make_delta(base, tuned, rank=2)
    assert set(delta) == {words.replace("weight", "lora_A"), words.replace("weight", "lora_B")} | {
        name for name in tuned if name.startswith("classifier")
    }
    model.load_state_dict(merge_delta(base, written(tmp_path, delta, scale=1.0)), strict=True)
    torch.testing.assert_close(model.state_dict()[words], tuned[words], atol=2e-2, rtol=2e-2)
