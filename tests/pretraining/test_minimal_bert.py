"""The one-file BERT computes what the package and transformers compute: losses, step by step."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from app.pretraining import minimal_bert
from app.pretraining.families import family_of
from app.pretraining.minimal_bert import NOT_MASKED, Bert, Size, loss_of
from app.pretraining.objectives.masking import PairBatch
from app.pretraining.recipes import RECIPES

STEPS = 5
LAYER = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "after_attention": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "after_feed_forward": "output.LayerNorm",
}
NAMES = {
    "words": "bert.embeddings.word_embeddings",
    "positions": "bert.embeddings.position_embeddings",
    "segments": "bert.embeddings.token_type_embeddings",
    "norm": "bert.embeddings.LayerNorm",
    "transform": "cls.predictions.transform.dense",
    "transform_norm": "cls.predictions.transform.LayerNorm",
    "pooler": "bert.pooler.dense",
    "follows": "cls.seq_relationship",
}


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """Twelve small documents; one of them is a lone sentence."""
    animals = ("dog", "cat", "bird", "horse")
    documents = [
        f"The {one} sees the {other}. The {other} runs away! Where does the {one} sleep?"
        for one in animals
        for other in animals
        if one != other
    ]
    path = tmp_path / "text.txt"
    path.write_text("\n\n".join([*documents, "A lone sentence stands here."]), encoding="utf-8")
    return path


@pytest.fixture
def prepared(text: Path) -> tuple[Bert, list[dict[str, torch.Tensor]], int]:
    """A small model, its first batches and the id of [PAD]."""
    random.seed(0)
    torch.manual_seed(0)
    documents = minimal_bert.read_documents(text)
    tokenizer = minimal_bert.make_vocabulary(documents, 120)
    ids = {token: tokenizer.token_to_id(token) for token in ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")}
    tokens = [[tokenizer.encode(s, add_special_tokens=False).ids for s in document] for document in documents]
    size = Size(tokenizer.get_vocab_size(), width=32, layers=2, heads=4, tokens=24)
    batches = minimal_bert.make_batches(tokens, ids, size.vocabulary, 8, size.tokens)
    return Bert(size), list(islice(batches, STEPS)), ids["[PAD]"]


def published(model: Bert, pad: int) -> BertForPreTraining:
    """transformers' BERT with the same weights."""
    width, layers = model.words.embedding_dim, len(model.layers)
    shape = {"hidden_size": width, "num_hidden_layers": layers, "num_attention_heads": model.layers[0].heads}
    config = BertConfig(
        vocab_size=model.words.num_embeddings,
        intermediate_size=4 * width,
        max_position_embeddings=model.positions.num_embeddings,
        pad_token_id=pad,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        **shape,
    )
    weights = {}
    for name, weight in model.state_dict().items():
        if name == "word_bias":
            weights["cls.predictions.bias"] = weights["cls.predictions.decoder.bias"] = weight
        elif name.startswith("layers."):
            _, number, part, kind = name.split(".")
            weights[f"bert.encoder.layer.{number}.{LAYER[part]}.{kind}"] = weight
        else:
            part, kind = name.split(".")
            weights[f"{NAMES[part]}.{kind}"] = weight
    made = BertForPreTraining(config)
    missing, unexpected = made.load_state_dict({name: w.clone() for name, w in weights.items()}, strict=False)
    assert not unexpected and set(missing) <= {"cls.predictions.decoder.weight", "bert.embeddings.position_ids"}
    made.tie_weights()
    return made


def as_pair_batch(batch: dict[str, torch.Tensor], pad: int) -> PairBatch:
    """The same batch as the package has it."""
    asked = (batch["labels"].flatten() != NOT_MASKED).nonzero()[:, 0].numpy()
    return PairBatch(
        batch["input_ids"].numpy(),
        (batch["input_ids"] != pad).long().numpy(),
        batch["token_type_ids"].numpy(),
        asked,
        batch["labels"].flatten().numpy()[asked],
        batch["next_sentence_label"].numpy(),
    )


def test_the_first_losses_are_those_of_the_package(prepared: tuple) -> None:
    model, batches, pad = prepared
    peer, family = published(model, pad), family_of(replace(RECIPES["bert_mini"], pair_weight=1.0))
    optimizers = [torch.optim.AdamW(one.parameters(), 1e-3, weight_decay=0.01) for one in (model, peer)]
    losses: list[tuple[float, float]] = []
    for batch in batches:
        mine = loss_of(model, batch, pad)
        theirs = family.loss(peer, as_pair_batch(batch, pad), torch.device("cpu"), torch.float32)
        losses.append((mine.item(), theirs.item()))
        for loss, optimizer in zip((mine, theirs), optimizers, strict=True):
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
    np.testing.assert_allclose(*zip(*losses, strict=True), rtol=1e-3)
    assert losses[-1][0] < losses[0][0]


def test_what_is_hidden_is_asked_and_nothing_else(prepared: tuple) -> None:
    _, batches, pad = prepared
    labels = {int(label) for batch in batches for label in batch["next_sentence_label"]}
    assert labels == {0, 1, NOT_MASKED}, "what follows, what does not, and the lone sentence"
    for batch in batches:
        asked = batch["labels"] != NOT_MASKED
        assert asked.any(dim=1).all() and not (asked & (batch["input_ids"] == pad)).any()


def test_the_program_runs_from_text_to_answers(text: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setattr("sys.argv", ["minimal_bert", str(text), "--minutes", "0.01"])
    monkeypatch.setattr(minimal_bert, "QUESTIONS", ("The dog sees the [MASK].",))
    minimal_bert.main()
    (answered,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("The dog sees")]
    assert answered.count("%") == 5
