"""The start from word vectors: related pieces are near, the scale is BERT's, the frequencies are the text's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertForPreTraining

from app.pretraining.data.corpus import Corpus
from app.pretraining.initial_weights import INITIAL_SCALE, give_start, log_frequencies, piece_vectors


@pytest.fixture
def topics() -> Corpus:
    """Sentences about one of two topics: pieces 5-9, or 10-14; piece 15 is rare."""
    rng = np.random.default_rng(0)
    sentences = [rng.integers(5, 10, 8) + 5 * (number % 2) for number in range(600)] + [np.array([15])]
    starts = np.cumsum([0, *map(len, sentences)])
    return Corpus(np.concatenate(sentences).astype(np.uint16), starts, np.array([0, len(sentences)]), np.array([True]))


def test_pieces_of_a_topic_are_near(topics: Corpus) -> None:
    pytest.importorskip("gensim", reason="gensim is a development requirement")
    vectors = piece_vectors(topics, 20, 8, seed=1)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    alike = unit @ unit.T
    assert alike[5, 6:10].mean() > alike[5, 10:15].mean() + 0.3
    assert vectors[5:15].std() == pytest.approx(INITIAL_SCALE, rel=0.01)
    assert np.isfinite(vectors).all()


def test_frequencies_are_the_texts(topics: Corpus) -> None:
    shares = np.exp(log_frequencies(topics, 20))
    assert shares[5:15] == pytest.approx(np.full(10, 0.1), abs=0.02)
    assert shares[[0, 15]] == pytest.approx(np.full(2, 1 / len(topics.ids)), rel=1e-2)


def test_the_start_comes_from_the_cache_and_reaches_the_model(topics: Corpus, tmp_path: Path) -> None:
    config = BertConfig(vocab_size=20, hidden_size=8, num_hidden_layers=1, num_attention_heads=1, intermediate_size=8)
    model, vectors = BertForPreTraining(config), np.full((20, 8), 0.5, dtype=np.float32)
    np.save(tmp_path / "vectors.npy", vectors)
    give_start(model, topics, 1, tmp_path / "vectors.npy")
    assert torch.equal(model.cls.predictions.decoder.weight, torch.from_numpy(vectors)), "tied: input and output"
    np.testing.assert_allclose(model.cls.predictions.decoder.bias.detach().numpy(), log_frequencies(topics, 20))
