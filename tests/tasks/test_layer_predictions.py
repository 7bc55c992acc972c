"""`/layer_predictions`: the last layer is the model's own answer."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import find
from app.tasks.attention.layer_predictions import layer_predictions
from app.tasks.fill_mask.fill import fill_mask

pytestmark = pytest.mark.usefixtures("tiny")
TEXT = "The [MASK] barked at the ___."


@pytest.mark.parametrize("name", ["bert-base-uncased", "roberta-base", "albert-base-v2"])
def test_last_layer_of_a_masked_model_is_its_own_answer(name: str) -> None:
    result = layer_predictions(TEXT, name, 7)
    assert [answer.layer for answer in result.layers] == [0, 1, 2]
    own = fill_mask(TEXT, name, 7)
    for mask, answer in zip(result.layers[-1].masks, own.masks, strict=True):
        assert [one.token for one in mask] == [one.token for one in answer.candidates]
        own_probabilities = [one.probability for one in answer.candidates]
        assert [one.probability for one in mask] == pytest.approx(own_probabilities, abs=1e-6)
    assert [followed.token_index for followed in result.followed] == [mask.token_index for mask in own.masks]
    assert result.layers[0].masks != result.layers[-1].masks


def test_last_layer_of_gpt2_is_its_own_answer_at_every_place() -> None:
    text = "The dog barked."
    result = layer_predictions(text, "gpt2", 4)
    loaded = loader().get(find("gpt2", "score"))
    ids = torch.tensor([loaded.text.encode(text).input_ids])
    with torch.no_grad():
        own = loaded.model(ids).logits[0].softmax(dim=-1).topk(4)
    assert len(result.layers[-1].masks) == ids.shape[1] == len(result.tokens)
    for place, mask in enumerate(result.layers[-1].masks):
        assert [one.probability for one in mask] == pytest.approx(own.values[place].tolist(), abs=1e-6)
        assert [one.token for one in mask] == [loaded.text.show(token_id) for token_id in own.indices[place].tolist()]


def test_favourites_are_followed_down_to_the_embeddings() -> None:
    result = layer_predictions(TEXT, "bert-base-uncased", 3)
    for place, followed in enumerate(result.followed):
        assert np.array(followed.probabilities).shape == (3, 3)
        assert followed.candidates == [one.token for one in result.layers[-1].masks[place]]
        assert followed.probabilities[-1] == [one.probability for one in result.layers[-1].masks[place]]


def test_layers_of_a_masked_model_follow_its_hidden_states() -> None:
    result = layer_predictions("The [MASK] barked.", "bert-base-uncased", 1)
    loaded = loader().get(find("bert-base-uncased", "fill_mask"))
    encoded = loaded.text.encode("The [MASK] barked.")
    with torch.no_grad():
        hidden = loaded.model.bert(torch.tensor([encoded.input_ids]), output_hidden_states=True).hidden_states
        for answer, states in zip(result.layers, hidden, strict=True):
            expected = loaded.model.cls.predictions(states[0, 2]).softmax(dim=-1).max().item()
            assert answer.masks[0][0].probability == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "model", "top_k", "code"),
    [
        ("", "bert-base-uncased", 5, "empty_text"),
        ("no mask", "bert-base-uncased", 5, "no_mask"),
        ("___ " * 21, "bert-base-uncased", 5, "too_long"),
        ("[MASK] " + "word, " * 600, "bert-base-uncased", 5, "too_long"),
        ("word, " * 200, "gpt2", 5, "too_long"),
        (TEXT, "bert-base-uncased", 0, "bad_value"),
        (TEXT, "nope", 5, "unknown_model"),
    ],
)
def test_bad_input_is_refused(text: str, model: str, top_k: int, code: str) -> None:
    with pytest.raises(PlaygroundError) as caught:
        layer_predictions(text, model, top_k)
    assert caught.value.code == code
