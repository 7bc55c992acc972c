"""`/attention` against the model's own eager attentions, and the parts that the page requests."""

from __future__ import annotations

import base64
import zlib
from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine.runtime.loader import load_family, load_head, loader
from app.errors import PlaygroundError
from app.registry.checkpoint import ATTENTION
from app.registry.lookup import find
from app.results.attention import Packed
from app.tasks.attention.attend import MOST_TOKENS, attention, see, store
from app.tasks.attention.heads import (
    all_heads,
    exact_weights,
    head_steps,
    one_layer,
    open_attention,
    pack_rows,
    rolled_out,
)
from app.tasks.cache import TextCache
from tests.conftest import SetSetting

MODELS = ["bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2"]
TEXT, SECOND = "The dog barked at the [MASK].", "It was very loud."


@pytest.fixture(autouse=True)
def empty_store() -> None:
    store.cache_clear()


def unpack(packed: Packed) -> np.ndarray:
    """What the browser makes of the bytes, [matrix, row, column]."""
    content = zlib.decompress(base64.b64decode(packed.data))
    shape = (packed.matrices, packed.rows, packed.columns)
    if not packed.scales:
        return np.frombuffer(content, dtype=np.uint8).reshape(shape) / np.float32(255)
    ends = 4 * packed.matrices * packed.rows
    scales = np.frombuffer(content[:ends], dtype="<f4").reshape(shape[:2])
    return np.frombuffer(content[ends:], dtype=np.uint8).reshape(shape) / np.float32(255) * scales[..., None]


def own_attentions(folder: Path, name: str, second: str) -> np.ndarray:
    """The model's own eager attentions [layer, head, query, key], from a load of its own."""
    checkpoint = find(name, "attention")
    model = load_family(checkpoint.family).model_class.from_pretrained(folder / name, attn_implementation="eager")
    encoded = see(TEXT, second, name).encoded
    inputs = {"input_ids": torch.tensor([encoded.input_ids])}
    if checkpoint.family in ("bert", "albert"):
        inputs["token_type_ids"] = torch.tensor([encoded.token_type_ids])
    with torch.no_grad():
        output = model.eval()(**inputs, attention_mask=torch.ones_like(inputs["input_ids"]), output_attentions=True)
    return torch.stack(output.attentions)[:, 0].numpy()


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("second", ["", SECOND])
def test_weights_are_the_models_own(tiny: Path, name: str, second: str) -> None:
    own = own_attentions(tiny, name, second)
    for layer in range(2):
        result = attention(TEXT, second, name, layer)
        weights = np.array(result.weights)
        assert np.abs(weights - own[layer]).max() < 1e-6
        assert np.abs(weights.sum(axis=-1) - 1).max() < 1e-5
        assert (result.layers, result.heads, result.layer) == (2, 2, layer)
        assert weights.shape == (2, len(result.tokens), len(result.tokens))
        assert result.segments == sorted(result.segments)
        assert (1 in result.segments) == bool(second)


@pytest.mark.usefixtures("tiny")
def test_gpt2_is_zero_above_the_diagonal_and_bert_is_not() -> None:
    gpt2 = np.array(attention(TEXT, SECOND, "gpt2").weights)
    assert np.triu(gpt2, k=1).max() == 0
    assert np.array(attention(TEXT, SECOND, "bert-base-uncased").weights).min() > 0


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", MODELS)
def test_looking_changes_no_other_answer(name: str) -> None:
    loaded = loader().get(find(name, "attention"))
    usual = loaded.model.config._attn_implementation
    ids = torch.tensor([loaded.text.encode(TEXT).input_ids])
    with torch.no_grad():
        before = loaded.model(ids)[0]
        see(TEXT, "", name)
        after = loaded.model(ids)[0]
    assert torch.equal(before, after)
    assert loaded.model.config._attn_implementation == usual != "eager"


@pytest.mark.usefixtures("tiny")
def test_a_second_text_keeps_its_offsets_without_separators() -> None:
    for name in MODELS:
        result = attention("The dog", "the cat", name)
        spans = {0: [], 1: []}
        for token, segment in zip(result.tokens, result.segments, strict=True):
            if token.start is not None:
                spans[segment] += [token.start, token.end]
        assert [(min(of), max(of)) for of in spans.values()] == [(0, len("The dog")), (0, len("the cat"))]


@pytest.mark.usefixtures("tiny")
def test_bytes_for_the_browser_are_within_a_255th_and_rows_still_sum_to_one() -> None:
    seen = see(TEXT, SECOND, "bert-base-uncased")
    opening = open_attention(TEXT, SECOND, "bert-base-uncased", 1)
    for packed, layer in ((opening.weights, 1), (one_layer(TEXT, SECOND, "bert-base-uncased", 0), 0)):
        assert np.abs(unpack(packed) - seen.weights[layer]).max() <= 1 / 510
    assert unpack(opening.weights).sum(axis=-1) == pytest.approx(1, abs=len(seen.tokens) / 510)
    assert np.allclose(exact_weights(TEXT, SECOND, "bert-base-uncased", 1, [0]), seen.weights[1, 0], atol=1e-6)
    assert np.allclose(exact_weights(TEXT, SECOND, "bert-base-uncased", 1, [0, 1]), seen.weights[1].mean(axis=0))


def test_a_layer_of_512_tokens_is_never_more_than_four_megabytes() -> None:
    noise = np.random.default_rng(0).random((12, 512, 512), dtype=np.float32)
    noise /= noise.sum(axis=-1, keepdims=True)
    packed = pack_rows(noise)
    assert len(packed.data) < 4_000_000
    assert np.abs(unpack(packed) - noise).max() <= noise.max() * 1.5 / 255


@pytest.mark.usefixtures("tiny")
def test_rollout_rows_sum_to_one_and_pictures_of_all_heads_are_small() -> None:
    rolled = exact_weights(TEXT, "", "gpt2", 1, None)
    assert rolled.sum(axis=-1) == pytest.approx(1, abs=1e-5)
    assert np.triu(rolled, k=1).max() == 0
    assert np.abs(unpack(rolled_out(TEXT, "", "gpt2", 1))[0] - rolled).max() <= 1 / 510
    long = all_heads("dog " * 60, "", "bert-base-uncased")
    assert (long.matrices, long.rows, long.columns) == (4, 24, 24)
    assert unpack(long).max(axis=(1, 2)) == pytest.approx(1)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("name", MODELS)
def test_step_by_step_arrives_at_the_models_own_weights(name: str) -> None:
    seen = see(TEXT, SECOND, name)
    for layer, head, query in ((0, 0, 0), (1, 1, 3), (1, 0, len(seen.tokens) - 1)):
        steps = head_steps(TEXT, SECOND, name, layer, head, query)
        assert np.abs(np.array(steps.weights) - seen.weights[layer, head, query]).max() < 1e-6
        assert steps.output == pytest.approx(np.array(steps.weights) @ np.array(steps.values), abs=1e-6)
        assert all(np.isneginf(steps.scaled[query + 1 :])) == (name == "gpt2" or query + 1 == len(seen.tokens))
        assert steps.products == pytest.approx([np.dot(steps.query, key) for key in steps.keys], abs=1e-5)


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("",), "empty_text"),
        ((None,), "bad_value"),
        (("hi", None), "bad_value"),
        (("hi", "", "nope"), "unknown_model"),
        (("hi", "", "bert-base-uncased", 2), "bad_value"),
        (("hi", "", "bert-base-uncased", "x"), "bad_value"),
        (("word, " * 600, "", "bert-base-uncased"), "too_long"),
        (("word, " * 300, "", "gpt2"), "too_long"),
    ],
)
def test_bad_input_is_refused(arguments: tuple, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        attention(*arguments)
    assert caught.value.code == code


def test_a_checkpoint_without_its_layers_is_refused(tiny: Path, tmp_path: Path, set_setting: SetSetting) -> None:
    from safetensors.torch import load_file, save_file

    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        (tmp_path / "gpt2").mkdir(exist_ok=True)
        (tmp_path / "gpt2" / name).write_bytes((tiny / "gpt2" / name).read_bytes())
    weights = load_file(tiny / "gpt2" / "model.safetensors")
    kept = {key: value for key, value in weights.items() if ".h.1." not in key}
    save_file(kept, tmp_path / "gpt2" / "model.safetensors", {"format": "pt"})
    set_setting(models=str(tmp_path))
    with pytest.raises(PlaygroundError) as caught:
        load_head(find("gpt2", "attention"), ATTENTION)
    assert caught.value.key == "missing_head.attention"


@pytest.mark.usefixtures("tiny")
def test_the_store_keeps_the_last_texts_within_its_budget_and_nobody_elses_text_answers() -> None:
    first, second = see("The dog", "", "gpt2"), see("The cat", "", "gpt2")
    assert see("The dog", "", "gpt2") is first
    small = TextCache(first.weights.nbytes, lambda seen: seen.weights.nbytes)
    small.get(("a",), lambda: first)
    small.get(("b",), lambda: second)
    assert small.bytes == second.weights.nbytes
    assert small.get(("b",), lambda: first) is second, "still here"
    assert small.get(("a",), lambda: second) is second, "gone, and made anew"
    assert [token.token for token in see("The cat", "", "gpt2").tokens] != [token.token for token in first.tokens]
    assert MOST_TOKENS == 512
