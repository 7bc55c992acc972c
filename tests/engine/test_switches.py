"""Every switch of a configuration is computed as in transformers, or its checkpoint is refused by name."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from app.engine.adapters.switches import check_switches, check_unexpected
from app.engine.runtime.loader import load, loader
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.fill_mask import fill_mask
from app.tasks.prompting.write import next_token
from tests.checkpoints import SIZE, SPREAD, build, save, tiny_tokenizers


@pytest.mark.parametrize("flag", [{"scale_attn_by_inverse_layer_idx": True}, {"scale_attn_weights": False}])
def test_gpt2s_scales_reach_the_answer(host: Path, flag: dict[str, bool]) -> None:
    from transformers import AutoModelForCausalLM

    tokenizer = tiny_tokenizers()["gpt2"]
    torch.manual_seed(7)
    save(host / "gpt2", build("gpt2", tokenizer), tokenizer)
    path = host / "gpt2" / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | flag))
    prompt = "the dog ran away from"
    with torch.inference_mode():
        logits = AutoModelForCausalLM.from_pretrained(host / "gpt2")(torch.tensor([tokenizer(prompt).input_ids])).logits
    expected = logits[0, -1].softmax(-1)
    for candidate in next_token(prompt, "gpt2", 5).candidates:
        assert candidate.probability == pytest.approx(float(expected[candidate.token_id]), rel=1e-3)


@pytest.mark.parametrize(("family", "name"), [("bert", "bert-base-uncased"), ("albert", "albert-base-v2")])
def test_layers_that_compute_in_chunks_take_texts_of_every_length(host: Path, family: str, name: str) -> None:
    """transformers itself refuses a text whose tokens are no multiple of the chunk."""
    tokenizer = tiny_tokenizers()[family]
    save(host / name, build(family, tokenizer), tokenizer)
    whole = fill_mask("the dog [MASK] away", name).masks
    path = host / name / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"chunk_size_feed_forward": 7}))
    loader.cache_clear()
    chunks = fill_mask("the dog [MASK] away", name).masks
    assert [one.token_id for one in chunks[0].candidates] == [one.token_id for one in whole[0].candidates]


@pytest.mark.parametrize(
    ("family", "config"),
    [
        ("bert", {"position_embedding_type": "relative_key"}),
        ("bert", {"is_decoder": True}),
        ("bert", {"model_type": "gpt2"}),
        ("roberta", {"add_cross_attention": True}),
        ("roberta", {"position_embedding_type": "relative_key_query"}),
        ("albert", {"inner_group_num": 2}),
        ("albert", {"hidden_act": "no_such"}),
        ("gpt2", {"add_cross_attention": True}),
        ("gpt2", {"activation_function": "no_such"}),
        ("llama", {"sliding_window": 128}),
        ("llama", {"layer_types": ["full_attention", "sliding_attention"]}),
        ("llama", {"rope_scaling": {"type": "longrope", "factor": 2.0}}),
        ("llama", {"rope_parameters": {"rope_type": "default", "partial_rotary_factor": 0.5}}),
        ("llama", {"residual_multiplier": 0.22}),
        ("llama", {"num_local_experts": 8}),
    ],
)
def test_what_nothing_here_computes_is_refused_by_name(family: str, config: dict) -> None:
    with pytest.raises(PlaygroundError) as refused:
        check_switches(replace(BY_NAME["gpt2"], family=family), config)
    assert refused.value.key == "model_unavailable.switch"
    assert next(iter(config)) in refused.value.values["switch"]


@pytest.mark.parametrize(
    ("family", "config"),
    [
        ("bert", {"position_embedding_type": "absolute", "is_decoder": False, "hidden_act": "gelu_new"}),
        ("openai_gpt", {"model_type": "openai-gpt"}),
        ("albert", {"inner_group_num": 1, "num_hidden_groups": 3}),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True, "activation_function": "relu"}),
        ("llama", {"rope_scaling": {"type": "linear", "factor": 2.0}, "attention_bias": True, "sliding_window": None}),
        ("llama", {"sliding_window": 4096, "use_sliding_window": False, "residual_multiplier": 1.0}),
    ],
)
def test_what_is_computed_or_changes_nothing_is_taken(family: str, config: dict) -> None:
    check_switches(replace(BY_NAME["gpt2"], family=family), config)


def test_an_own_layer_more_than_the_configuration_says_is_refused(host: Path) -> None:
    tokenizer = tiny_tokenizers()["bert"]
    save(host / "bert-base-uncased", build("bert", tokenizer), tokenizer)
    path = host / "bert-base-uncased" / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"num_hidden_layers": 1}))
    with pytest.raises(PlaygroundError) as refused:
        load(BY_NAME["bert-base-uncased"])
    assert refused.value.key == "model_unavailable.extra_weights"
    assert "layer.1." in refused.value.values["weight"]


def test_a_weight_in_a_layer_that_the_configuration_does_not_have_is_refused(host: Path) -> None:
    tokenizer = tiny_tokenizers()["roberta"]
    save(host / "roberta-base", build("roberta", tokenizer), tokenizer)
    path = host / "roberta-base" / "model.safetensors"
    tensors = load_file(path)
    save_file(tensors | {"roberta.encoder.layer.0.adapter.down.weight": torch.zeros(2, 2)}, path, {"format": "pt"})
    with pytest.raises(PlaygroundError) as refused:
        load(BY_NAME["roberta-base"])
    assert refused.value.key == "model_unavailable.extra_weights"


def test_heads_poolers_and_old_buffers_are_no_reason() -> None:
    check_unexpected(
        BY_NAME["gpt2"],
        ["cls.seq_relationship.bias", "bert.pooler.dense.weight", "transformer.h.0.attn.bias", "classifier.weight",
         "h.1.attn.masked_bias", "roberta.embeddings.position_ids", "model.layers.0.rotary_emb.inv_freq"],
    )  # fmt: skip


def test_layers_of_several_groups_are_looked_into_where_they_are(host: Path) -> None:
    from transformers import AlbertConfig, AlbertForPreTraining

    from app.engine.families.albert import albert_attention

    for layers, groups in ((6, 2), (7, 3), (12, 5)):
        size = {**SIZE, "num_hidden_layers": layers, "num_hidden_groups": groups}
        model = AlbertForPreTraining(AlbertConfig(vocab_size=20, embedding_size=8, **size, **SPREAD))
        assert [albert_attention(model, layer) for layer in range(layers)] == attentions_run(model)


def attentions_run(model: torch.nn.Module) -> list[torch.nn.Module]:
    """Those that one pass runs, in their order."""
    seen: list[torch.nn.Module] = []
    for group in model.albert.encoder.albert_layer_groups:
        group.albert_layers[0].attention.register_forward_hook(lambda module, *_: seen.append(module))
    model.albert(torch.tensor([[1, 2]]))
    return seen


def test_positions_begin_after_the_padding_id_whatever_it_is(host: Path) -> None:
    from transformers import RobertaConfig, RobertaForMaskedLM

    from app.tasks.surprise.score import score

    tokenizer = tiny_tokenizers()["roberta"]
    size = {"vocab_size": len(tokenizer), "max_position_embeddings": 20, "type_vocab_size": 1, **SIZE, **SPREAD}
    save(host / "roberta-base", RobertaForMaskedLM(RobertaConfig(**size, pad_token_id=7)), tokenizer)
    assert load(BY_NAME["roberta-base"]).head("masked_lm").max_tokens == 12
    assert score("the dog ran", "roberta-base").tokens
    with pytest.raises(PlaygroundError) as refused:
        score("the dog ran and the cat sat, the dog ran and the cat sat", "roberta-base")
    assert refused.value.key == "too_long.tokens"


def test_a_configuration_of_the_wrong_kind_is_refused_in_words(host: Path) -> None:
    tokenizer = tiny_tokenizers()["bert"]
    save(host / "bert-base-uncased", build("bert", tokenizer), tokenizer)
    path = host / "bert-base-uncased" / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"hidden_size": "large"}))
    with pytest.raises(PlaygroundError) as refused:
        load(BY_NAME["bert-base-uncased"])
    assert refused.value.key == "model_unavailable.damaged"
