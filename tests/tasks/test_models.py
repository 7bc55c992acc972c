"""The anatomy of models: counts against transformers, published sizes, shapes of a pass, sources of scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.engine.anatomy import component_of, drawn_up, parts_of
from app.engine.runtime.loader import loader
from app.engine.storage.locate import BUNDLED
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.models.scores import measured_scores
from app.tasks.models.shapes import MOST_TOKENS, shapes
from app.tasks.models.take_apart import bert_or_albert, take_apart

TINY = ("bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2")
BUNDLED_WORDS = ("elmo-mini", "word-vectors-mini", "word-vectors-mini-zh")


@pytest.mark.parametrize("name", TINY)
def test_every_weight_is_counted_once(tiny: Path, name: str) -> None:
    anatomy, model = take_apart(name), loader().get(BY_NAME[name]).model
    assert anatomy.parameters == sum(weight.numel() for weight in model.parameters()) == model.num_parameters()
    counts = {part.component: part.parameters for part in anatomy.parts}
    assert counts["token_embeddings"] == model.get_input_embeddings().weight.numel()
    assert "other" not in counts and {"attention", "feed_forward", "norms", "positions"} <= set(counts)
    (tied,) = [part.times for part in anatomy.parts if part.component == "token_embeddings"]
    assert tied == 2, "the embeddings are the vocabulary head's rows, too"
    config = model.config
    assert anatomy.measures.vocabulary == config.vocab_size and anatomy.measures.layers == config.num_hidden_layers
    assert anatomy.measures.heads == config.num_attention_heads and anatomy.measures.hidden_size == config.hidden_size


@pytest.mark.parametrize("name", BUNDLED_WORDS)
def test_models_over_words_are_counted_too(name: str) -> None:
    anatomy, model = take_apart(name), loader().get(BY_NAME[name]).model
    assert anatomy.parameters == sum(weight.numel() for weight in model.parameters()) == BY_NAME[name].parameters
    assert {part.component for part in anatomy.parts} <= {"token_embeddings", "characters", "recurrence", "heads"}
    assert anatomy.measures.heads is None and anatomy.measures.window is None


def test_shared_layers_are_used_once_for_each_layer(tiny: Path) -> None:
    layers = loader().get(BY_NAME["albert-base-v2"]).model.config.num_hidden_layers
    times = {
        part.times for part in take_apart("albert-base-v2").parts if part.component in ("attention", "feed_forward")
    }
    assert layers > 1 and times == {layers}
    assert all(part.times == 1 for part in take_apart("bert-base-uncased").parts if part.component == "attention")


def test_windows_are_those_that_texts_may_fill(tiny: Path) -> None:
    from app.engine.runtime.loader import load_head
    from app.registry.checkpoint import ATTENTION

    for name in TINY:
        assert take_apart(name).measures.window == load_head(BY_NAME[name], ATTENTION).max_tokens


# Without heads, as transformers counts the published configurations.
PUBLISHED = {
    ("base", False, False): 109_482_240,
    ("base", True, True): 11_683_584,
    ("large", False, False): 335_141_888,
    ("large", True, True): 17_683_968,
}


@pytest.mark.parametrize("asked", PUBLISHED)
def test_published_sizes_come_out(asked: tuple[str, bool, bool]) -> None:
    assert sum(part.parameters for part in bert_or_albert(*asked)) == PUBLISHED[asked]


def test_each_change_alone_is_what_the_paper_has() -> None:
    """Lan et al. 2019, table 3: 89 M with embeddings of 128 and layers of their own, 31 M with 768 and shared ones."""
    factorised, shared = (
        sum(part.parameters for part in drawn_up("base", *one)) for one in ((True, False), (False, True))
    )
    assert (factorised // 10**6, shared // 10**6) == (89, 31)


def test_what_is_drawn_up_is_what_transformers_counts() -> None:
    import torch
    from transformers import AlbertConfig, AlbertModel

    config = AlbertConfig(hidden_size=768, num_hidden_layers=12, num_attention_heads=12, intermediate_size=3072)
    with torch.device("meta"):
        model = AlbertModel(config)
    assert sum(part.parameters for part in drawn_up("base", True, True)) == model.num_parameters()
    assert parts_of(model) == drawn_up("base", True, True)
    assert {part.times for part in parts_of(model) if part.component == "attention"} == {12}


def test_no_other_size() -> None:
    with pytest.raises(PlaygroundError) as caught:
        bert_or_albert("huge", True, True)
    assert caught.value.code == "bad_value"


@pytest.mark.parametrize(
    ("name", "component"),
    [
        ("bert.encoder.layer.3.attention.output.LayerNorm.weight", "norms"),
        ("bert.encoder.layer.3.attention.output.dense.weight", "attention"),
        ("bert.encoder.layer.3.output.dense.bias", "feed_forward"),
        ("cls.predictions.transform.LayerNorm.weight", "heads"),
        ("albert.encoder.albert_layer_groups.0.albert_layers.0.full_layer_layer_norm.weight", "norms"),
        ("albert.pooler.weight", "heads"),
        ("transformer.h.0.attn.c_proj.weight", "attention"),
        ("transformer.h.0.mlp.c_proj.weight", "feed_forward"),
        ("transformer.ln_f.bias", "norms"),
        ("model.layers.0.post_attention_layernorm.weight", "norms"),
        ("model.layers.0.self_attn.k_proj.weight", "attention"),
        ("model.norm.weight", "norms"),
        ("something.new", "other"),
    ],
)
def test_a_name_says_what_a_weight_is_for(name: str, component: str) -> None:
    assert component_of(name) == component


@pytest.mark.parametrize("name", TINY)
def test_shapes_are_those_of_transformers(tiny: Path, name: str) -> None:
    import torch

    loaded = loader().get(BY_NAME[name])
    text = "The dog barked."
    found = {shape.step: shape.sizes for shape in shapes(text, name)}
    ids = torch.tensor([loaded.text.encode(text).input_ids])
    with torch.inference_mode():
        output = loaded.model(ids, output_hidden_states=True)
    config, states = loaded.model.config, output.hidden_states
    assert found["input_ids"] == list(ids.shape) and found["last_layer"] == list(states[-1].shape)
    assert found["layer"] == list(states[1].shape)
    logits = output.logits if hasattr(output, "logits") else output.prediction_logits
    assert found["logits"] == list(logits.shape)
    tokens, heads = ids.shape[1], config.num_attention_heads
    assert found["attention"] == [1, heads, tokens, tokens]
    for step in ("queries", "keys", "values"):
        assert found[step] == [1, heads, tokens, config.hidden_size // heads]


def test_shapes_refuse_what_has_none(tiny: Path) -> None:
    with pytest.raises(PlaygroundError, match="wrong_model"):
        shapes("The dog.", "elmo-mini")
    with pytest.raises(PlaygroundError, match="too_long"):
        shapes("dog " * (MOST_TOKENS + 1), "gpt2")


def test_scores_are_those_of_the_files() -> None:
    scores = measured_scores()
    found = {(one.measure, one.model): (one.value, one.beside) for one in scores}
    card = json.loads((BUNDLED / "gpt2-mini" / "train.json").read_text(encoding="utf-8"))["scores"]["perplexity"]
    assert found["perplexity", "gpt2-mini"] == (
        card["model"]["word"],
        card["baselines"]["Kneser-Ney, 5 pieces"]["word"],
    )
    assert {"fill_mask", "classify", "two_way", "analogies"} <= {one.measure for one in scores}
    assert not any(one.measure in ("generate", "score") for one in scores), "they are no measurements"
