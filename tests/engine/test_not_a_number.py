"""A checkpoint with damaged weights gives no answer in any task: "not a number" is never shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from app.engine.runtime.loader import loader
from app.errors import PlaygroundError
from app.registry.lookup import BY_NAME
from app.tasks.attention.attend import attention
from app.tasks.attention.layer_predictions import layer_predictions
from app.tasks.classification.embed import embed
from app.tasks.fill_mask.fill import fill_mask
from app.tasks.prompting.write import generate, next_token
from app.tasks.sentence_pair.judge import sentence_matrix, sentence_pair
from app.tasks.surprise.score import score
from app.tasks.word_sense.occurrence_vectors import word_sense
from app.tasks.zero_shot.predict import zero_shot
from tests.checkpoints import build, save, tiny_tokenizers

TEXT = "The dog barked at the cat."
ASKED: list[tuple[str, str, Callable[[str], object]]] = [
    ("fill_mask", "bert-mini", lambda name: fill_mask("The [MASK] ran.", name)),
    ("fill_mask with a target", "roberta-base", lambda name: fill_mask("The [MASK] ran.", name, 3, ["dog"])),
    ("layer_predictions", "bert-mini", lambda name: layer_predictions("The [MASK] ran.", name)),
    ("masked score", "albert-base-v2", lambda name: score(TEXT, name)),
    ("causal score", "gpt2", lambda name: score(TEXT, name)),
    ("next_token", "gpt2", lambda name: next_token("The dog", name)),
    ("generate", "gpt2", lambda name: generate("The dog", name, 5)),
    ("generate, the best", "gpt2", lambda name: generate("The dog", name, 5, 0.0)),
    ("zero_shot", "gpt2", lambda name: zero_shot(TEXT, ["good", "bad"], "{text} It was", name)),
    ("sentence_pair", "bert-mini", lambda name: sentence_pair("A dog.", "It barked.", name)),
    ("sentence_matrix", "bert-mini", lambda name: sentence_matrix(["A dog.", "It barked."], name)),
    ("embed", "bert-mini", lambda name: embed([TEXT], name)),
    ("word_sense", "bert-mini", lambda name: word_sense(["the dog ran", "a dog sat"], "dog", name)),
    ("attention", "gpt2", lambda name: attention(TEXT, "", name, 1)),
]


@pytest.mark.parametrize("number", [torch.nan, torch.inf, -torch.inf])
@pytest.mark.parametrize(
    ("name", "weight"),
    [
        (
            "gpt2",
            "transformer.h.1.attn.c_attn.bias",
        ),  # of a query: the fused attention hides it, and the answer is wrong
        ("bert-base-uncased", "bert.embeddings.word_embeddings.weight"),  # one word's row, which few texts need
        ("roberta-base", "lm_head.bias"),
    ],
)
def test_one_weight_that_is_no_number_is_noticed_before_it_answers(
    name: str, weight: str, number: float, host: Path
) -> None:
    family = name.partition("-")[0]
    tokenizer = tiny_tokenizers()[family]
    save(host / name, build(family, tokenizer), tokenizer)
    path = host / name / "model.safetensors"
    tensors = {key: tensor.clone() for key, tensor in load_file(path).items()}
    tensors[weight].view(-1)[3] = number
    save_file(tensors, path, {"format": "pt"})
    with pytest.raises(PlaygroundError) as caught:
        embed([TEXT], name)
    assert caught.value.key == "model_unavailable.not_a_number" and caught.value.values["model"] == name


@pytest.mark.parametrize(("what", "name", "ask"), ASKED, ids=[row[0] for row in ASKED])
def test_damaged_weights_are_said_to_be_so(what: str, name: str, ask: Callable[[str], object], tiny: Path) -> None:
    model = loader().get(BY_NAME[name]).model
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim == 2:
                weight[:, 0] = torch.nan
    with pytest.raises(PlaygroundError) as caught:
        ask(name)
    assert caught.value.key == "model_unavailable.not_a_number" and caught.value.values["model"] == name
