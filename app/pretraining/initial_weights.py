"""A better start than random numbers: piece vectors from CBOW, output biases from piece frequencies.

Mikolov et al. 2013 (arXiv 1301.3781). Both come from the same tokenised corpus and take about three minutes; a masked
LM that starts from them skips the long phase in which it learns only how frequent each piece is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from transformers import PreTrainedModel

from app.pretraining.data.corpus import Corpus

# The standard deviation of BERT's initial weights.
INITIAL_SCALE = 0.02


class _Sentences:
    """The corpus in gensim's form: sentences of words, here ids as strings."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus

    def __iter__(self) -> Iterator[list[str]]:
        for index in range(len(self.corpus.sentence_starts) - 1):
            yield [str(token_id) for token_id in self.corpus.sentence(index)]


def piece_vectors(corpus: Corpus, vocab_size: int, width: int, seed: int) -> np.ndarray:
    """CBOW vectors [vocab, width], centred and scaled like fresh weights; random rows for unseen pieces."""
    # Imported here because only a new run needs gensim, and importing it takes a second.
    from gensim.models import Word2Vec

    cbow = Word2Vec(
        _Sentences(corpus), vector_size=width, window=5, min_count=5, negative=8, epochs=2, workers=1, seed=seed, sg=0
    )
    vectors = np.random.default_rng(seed).normal(0.0, INITIAL_SCALE, (vocab_size, width)).astype(np.float32)
    seen = np.array([int(word) for word in cbow.wv.index_to_key])
    learnt = cbow.wv.vectors - cbow.wv.vectors.mean(axis=0)
    vectors[seen] = learnt * (INITIAL_SCALE / learnt.std())
    return vectors


def log_frequencies(corpus: Corpus, vocab_size: int) -> np.ndarray:
    """Natural log of each piece's share of the corpus [vocab]; unseen pieces count as one occurrence."""
    counts = np.bincount(corpus.ids, minlength=vocab_size).clip(min=1)
    return np.log(counts / counts.sum()).astype(np.float32)


def give_start(model: PreTrainedModel, corpus: Corpus, seed: int, cache: Path) -> None:
    """Put both into a new model. `cache` keeps the vectors."""
    weight = model.get_input_embeddings().weight
    if not cache.exists():
        np.save(cache, piece_vectors(corpus, *weight.shape, seed))
    with torch.no_grad():
        weight.copy_(torch.from_numpy(np.load(cache)))
        bias = model.get_output_embeddings().bias
        if bias is not None:  # GPT-2's head has none
            bias.copy_(torch.from_numpy(log_frequencies(corpus, weight.shape[0])))
