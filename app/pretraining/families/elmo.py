"""ELMo from nothing: characters to words, the next and the previous word (Peters et al. 2018, arXiv 1802.05365).

Trained sentence by sentence from an empty state, as it is asked here; the published ones were trained on windows of 20
words with the state carried on.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from app.models.elmo import ElmoConfig, ElmoForLanguageModeling, ElmoTokenizer
from app.models.elmo.language import sampled_softmax_loss
from app.models.elmo.tokenization import BEGIN_ID, END_ID, IGNORED_LABEL, UNKNOWN_ID
from app.pretraining.cross_entropy import vocabulary_cross_entropy
from app.pretraining.data.corpus import Corpus
from app.pretraining.data.words import (
    MARKS,
    SentenceBatch,
    WordIds,
    by_frequency,
    count_words,
    in_vocabulary,
    sentence_batches,
    tokenise_words,
)
from app.pretraining.families import bert
from app.pretraining.families.family import Family
from app.pretraining.initial_weights import log_frequencies, piece_vectors
from app.pretraining.recipes import Recipe


def make_tokenizer(recipe: Recipe, files: list[Path]) -> ElmoTokenizer:
    """Every word of the text, the most frequent first; the bundle gets only those that the softmax knows."""
    return ElmoTokenizer(MARKS + by_frequency(count_words(files)))


def tokenise(files: list[Path], tokenizer: ElmoTokenizer) -> Corpus:
    """Ids of whole words."""
    return tokenise_words(files, tokenizer.vocabulary or [])


def special(tokenizer: ElmoTokenizer) -> WordIds:
    """The characters of every word."""
    words = tokenizer.vocabulary or []
    # Marks are recognised here, so that their rows are the marks' own.
    marked = ElmoTokenizer(recognize_boundaries=True)
    characters = np.array([marked.character_ids(word) for word in words], dtype=np.uint16)
    return WordIds(BEGIN_ID, END_ID, UNKNOWN_ID, IGNORED_LABEL, len(words), characters)


def build_model(recipe: Recipe, tokenizer: ElmoTokenizer) -> ElmoForLanguageModeling:
    """A new model with random weights from the recipe's seed."""
    torch.manual_seed(recipe.seed)
    vocab_size = min(recipe.vocab_size, len(tokenizer.vocabulary or []))
    return ElmoForLanguageModeling(ElmoConfig(vocab_size=vocab_size, **recipe.config))


def batches(recipe: Recipe, corpus: Corpus, words: WordIds, masking: int) -> Iterator[SentenceBatch]:
    """One pass; `masking` is its number."""
    return sentence_batches(
        corpus,
        replace(words, vocab_size=recipe.vocab_size),
        copy=masking,
        seed=recipe.seed,
        lengths=recipe.lengths,
        tokens_per_batch=recipe.tokens_per_batch,
    )


def two_way_loss(
    model: ElmoForLanguageModeling,
    batch: SentenceBatch,
    device: torch.device,
    precision: torch.dtype,
    pair_weight: float = 1.0,
) -> Tensor:
    """Mean cross entropy of the next and of the previous word; there is no pair head to weigh."""
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
    # The draw hangs on the batch alone: a run that was stopped goes on as if it was not.
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(int(batch.labels.sum()))
        return sampled_softmax_loss(vectors.float(), wanted, model.softmax, model.config.num_sampled_words)


def give_start(model: ElmoForLanguageModeling, corpus: Corpus, seed: int, cache: Path) -> None:
    """The softmax begins with word vectors and frequencies; a sentence's marks are as frequent as sentences."""
    weight, bias = model.softmax.weight, model.softmax.bias
    known = replace(corpus, ids=in_vocabulary(corpus.ids, len(weight)))
    if not cache.exists():
        np.save(cache, piece_vectors(known, *weight.shape, seed))
    vectors = torch.from_numpy(np.load(cache))
    frequencies = log_frequencies(known, len(weight))
    frequencies[[BEGIN_ID, END_ID]] = np.log((len(corpus.sentence_starts) - 1) / len(corpus.ids))
    with torch.no_grad():
        weight.copy_(vectors * (weight.std() / vectors.std()))
        bias.copy_(torch.from_numpy(frequencies))


def save(model: ElmoForLanguageModeling, tokenizer: ElmoTokenizer, target: Path) -> None:
    """float16 safetensors, and the words of the softmax."""
    copy.deepcopy(model).cpu().half().save_pretrained(target)
    ElmoTokenizer((tokenizer.vocabulary or [])[: model.config.vocab_size]).save_pretrained(target)


def load(folder: Path) -> tuple[ElmoForLanguageModeling, ElmoTokenizer]:
    """The bundled checkpoint in float32."""
    model = ElmoForLanguageModeling.from_pretrained(folder, dtype=torch.float32)
    return model.eval(), ElmoTokenizer.from_pretrained(folder)


FAMILY = Family(
    make_tokenizer,
    build_model,
    batches,
    two_way_loss,
    bert.groups,
    save,
    load,
    load_tokenizer=ElmoTokenizer.from_pretrained,
    tokenise=tokenise,
    special=special,
    give_start=give_start,
)
