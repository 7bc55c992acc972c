"""Vectors of texts against hidden states computed with transformers, in every family and at every layer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import AutoModel, AutoTokenizer

from app.engine.runtime.loader import load_head
from app.errors import PlaygroundError
from app.registry.checkpoint import TOKEN_VECTORS
from app.registry.lookup import BY_NAME
from app.tasks.classification.embed import embed

TEXTS = ["The dog barked.", "I love you because you are wonderful and kind.", "cat"]
MODELS = ("bert-base-uncased", "roberta-base", "albert-base-v2", "gpt2")


def states(folder: Path, text: str) -> tuple[torch.Tensor, ...]:
    """Hidden states of one text alone, each [token, hidden]."""
    model, tokenizer = AutoModel.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        made = model.eval()(**tokenizer(text, return_tensors="pt"), output_hidden_states=True)
    return tuple(layer[0] for layer in made.hidden_states)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("layer", [0, 1, -1])
def test_vectors_are_those_of_transformers(tiny: Path, model: str, layer: int) -> None:
    answer = embed(TEXTS, model, layer)
    assert answer.layer == (layer if layer >= 0 else 2)
    for text, vector in zip(TEXTS, answer.vectors, strict=True):
        expected = states(tiny / model, text)[layer].mean(dim=0)
        assert vector == pytest.approx(expected.tolist(), abs=1e-5)


def test_poolings(tiny: Path) -> None:
    tokens = states(tiny / "bert-mini", TEXTS[0])[-1].numpy()
    for pooling, expected in (("max", tokens.max(axis=0)), ("cls", tokens[0]), ("mean", tokens.mean(axis=0))):
        assert embed(TEXTS[:1], "bert-mini", pooling=pooling).vectors[0] == pytest.approx(expected.tolist(), abs=1e-5)


def test_all_layers_of_a_batch_at_once(tiny: Path) -> None:
    encoder = load_head(BY_NAME["bert-mini"], TOKEN_VECTORS)
    rows = [encoder.encode(text) for text in TEXTS]
    made = dict(encoder.hidden_states(rows, range(encoder.layers + 1)))
    for index, text in enumerate(TEXTS):
        expected = np.stack([layer.numpy() for layer in states(tiny / "bert-mini", text)])
        assert made[index].shape == expected.shape
        assert np.abs(made[index] - expected).max() < 1e-5


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        ((TEXTS, "bert-mini", 3), "bad_value.number"),
        ((TEXTS, "bert-mini", -4), "bad_value.number"),
        ((TEXTS, "bert-mini", 0, "sum"), "bad_value.choice"),
        ((TEXTS, "gpt2", -1, "cls"), "bad_value.choice"),
        (([], "bert-mini"), "bad_value.texts"),
        ((["fine " * 600], "bert-mini"), "too_long.tokens"),
        ((["a", " "], "bert-mini"), "empty_text"),
    ],
)
def test_what_may_not_be_asked(tiny: Path, arguments: tuple, key: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        embed(*arguments)
    assert caught.value.key == key
