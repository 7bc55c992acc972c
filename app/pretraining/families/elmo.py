"""ELMo from scratch: from characters to words, the next and the previous word (Peters et al. 2018, arXiv 1802.05365).

Trained sentence by sentence from an empty state, the way this app uses it; the published models were trained on windows
of 20 words with the state carried on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from app.models.elmo import ElmoConfig, ElmoForLanguageModeling, ElmoTokenizer
from app.models.elmo.language import sampled_softmax_loss
from app.models.elmo.tokenization import BEGIN_ID, END_ID, IGNORED_LABEL
from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.corpus import Corpus
from app.pretraining.data.words import (
    MARKS,
    SentenceBatch,
    by_frequency,
    count_words,
    in_vocabulary,
    sentence_batches,
    tokenise_words,
)
from app.pretraining.families.family import Family
from app.pretraining.initial_weights import log_frequencies, piece_vectors
from app.pretraining.recipes import Recipe


class ElmoFamily(Family):
    """Words read as characters and predicted in both directions from a list of the most frequent ones."""

    model_class = ElmoForLanguageModeling

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        self._characters: np.ndarray | None = None  # of every word of the run's tokenizer, computed for the first batch

    def make_tokenizer(self, files: list[Path]) -> ElmoTokenizer:
        """Every word of the text, most frequent first; the bundle gets only the softmax's words."""
        return ElmoTokenizer(MARKS + by_frequency(count_words(files)))

    def load_tokenizer(self, folder: Path) -> ElmoTokenizer:
        """The tokenizer with the words in a folder."""
        return ElmoTokenizer.from_pretrained(folder)

    def tokenise(self, files: list[Path], tokenizer: ElmoTokenizer) -> Corpus:
        """Ids of whole words."""
        return tokenise_words(files, tokenizer.vocabulary or [])

    def build_model(self, tokenizer: ElmoTokenizer) -> ElmoForLanguageModeling:
        """A new model with random weights from the recipe's seed."""
        torch.manual_seed(self.recipe.seed)
        vocab_size = min(self.recipe.vocab_size, len(tokenizer.vocabulary or []))
        return ElmoForLanguageModeling(ElmoConfig(vocab_size=vocab_size, **self.recipe.config))

    def give_start(self, model: ElmoForLanguageModeling, corpus: Corpus, cache: Path) -> None:
        """Start the softmax from word vectors and frequencies; a sentence's marks are as frequent as sentences."""
        weight, bias = model.softmax.weight, model.softmax.bias
        known = replace(corpus, ids=in_vocabulary(corpus.ids, len(weight)))
        if not cache.exists():
            np.save(cache, piece_vectors(known, *weight.shape, self.recipe.seed))
        vectors = torch.from_numpy(np.load(cache))
        frequencies = log_frequencies(known, len(weight))
        frequencies[[BEGIN_ID, END_ID]] = np.log((len(corpus.sentence_starts) - 1) / len(corpus.ids))
        with torch.no_grad():
            weight.copy_(vectors * (weight.std() / vectors.std()))
            bias.copy_(torch.from_numpy(frequencies))

    def batches(self, corpus: Corpus, tokenizer: ElmoTokenizer, pass_number: int) -> Iterator[SentenceBatch]:
        """One pass, sentence by sentence; as labels, words outside the softmax are the unknown word."""
        if self._characters is None:
            self._characters = characters_of(tokenizer)
        return sentence_batches(
            corpus,
            self._characters,
            vocab_size=self.recipe.vocab_size,
            pass_number=pass_number,
            seed=self.recipe.seed,
            lengths=self.recipe.lengths,
            tokens_per_batch=self.recipe.tokens_per_batch,
        )

    def loss(
        self, model: ElmoForLanguageModeling, batch: SentenceBatch, device: torch.device, precision: torch.dtype
    ) -> Tensor:
        """Mean cross entropy of the next and of the previous word."""
        input_ids, labels = (torch.from_numpy(part).to(device) for part in (batch.input_ids, batch.labels))
        with torch.autocast(device.type, dtype=torch.bfloat16, enabled=precision == torch.bfloat16):
            top = model.elmo(input_ids, labels != IGNORED_LABEL, keep_boundaries=True).last_hidden_state
        left, right = top.chunk(2, dim=2)
        following, previous = labels[:, 1:], labels[:, :-1].masked_fill(labels[:, 1:] == IGNORED_LABEL, IGNORED_LABEL)
        counted = following != IGNORED_LABEL
        vectors = torch.cat([left[:, :-1][counted], right[:, 1:][counted]])  # [both directions' places, projection]
        wanted = torch.cat([following[counted], previous[counted]])
        if not model.config.num_sampled_words:
            return vocabulary_cross_entropy(vectors, model.softmax.weight, model.softmax.bias, wanted, precision)
        # Seeding from the batch alone lets a resumed run draw what an uninterrupted one would.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(int(batch.labels.sum()))
            return sampled_softmax_loss(vectors.float(), wanted, model.softmax, model.config.num_sampled_words)

    def save(self, model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, target: Path) -> None:
        """Save float16 safetensors and the words of the softmax."""
        super().save(model, ElmoTokenizer((tokenizer.vocabulary or [])[: model.config.vocab_size]), target)


def characters_of(tokenizer: ElmoTokenizer) -> np.ndarray:
    """The characters of each mark and each word of a tokenizer: uint16 [id, character]."""
    # Marks are recognised here to give them rows of their own.
    marked = ElmoTokenizer(recognize_boundaries=True)
    return np.array([marked.character_ids(word) for word in tokenizer.vocabulary or []], dtype=np.uint16)
