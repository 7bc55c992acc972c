"""Running text as whole words, for models that read characters or know words. Knows words and their ids, no model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.models.elmo.tokenization import BEGIN_ID, END_ID, IGNORED_LABEL, UNKNOWN_ID, WORD
from app.pretraining.data.corpus import NOT_RUNNING_TEXT as NO_TEXT
from app.pretraining.data.corpus import Corpus, read_documents, stem

# The marks before the words of an ELMo vocabulary.
MARKS = ["<S>", "</S>", "<UNK>"]
# Sentences are sorted by length within groups of this many documents.
GROUP = 256


@dataclass(frozen=True)
class SentenceBatch:
    """One batch of sentences, each with a mark at both ends."""

    input_ids: np.ndarray  # int64 [sentence, word, character], 0 at the padding
    labels: np.ndarray  # int64 [sentence, word], -100 at the padding

    @property
    def tokens(self) -> int:
        """Words and end marks: the predictions in each direction."""
        return int((self.labels != IGNORED_LABEL).sum()) - len(self.labels)


def count_words(files: list[Path]) -> Counter[str]:
    """How often each word occurs."""
    counts: Counter[str] = Counter()
    for path in files:
        for document in read_documents(path):
            for sentence in document:
                counts.update(WORD.findall(sentence))
    return counts


def by_frequency(counts: Counter[str]) -> list[str]:
    """The words, most frequent first; equally frequent ones in alphabetical order."""
    return sorted(counts, key=lambda word: (-counts[word], word))


def tokenise_words(files: list[Path], vocabulary: list[str]) -> Corpus:
    """The text as ids of a vocabulary: a word's id is its place in the list, and other words get the id of `<UNK>`."""
    ids = {word: number for number, word in enumerate(vocabulary)}
    pieces: list[np.ndarray] = []
    lengths, document_starts, running_text = [], [0], []
    for path in files:
        for document in read_documents(path):
            for sentence in document:
                found = [ids.get(word, UNKNOWN_ID) for word in WORD.findall(sentence)]
                pieces.append(np.array(found, dtype=np.uint32))
                lengths.append(len(found))
            document_starts.append(len(lengths))
            running_text.append(stem(path) not in NO_TEXT)
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Corpus(np.concatenate(pieces), starts, np.array(document_starts), np.array(running_text))


def in_vocabulary(ids: np.ndarray, vocab_size: int) -> np.ndarray:
    """The softmax's ids, int64: words beyond the vocabulary become the unknown word."""
    return np.where(ids < vocab_size, ids, UNKNOWN_ID).astype(np.int64)


def sentence_batches(
    corpus: Corpus,
    characters: np.ndarray,
    *,
    vocab_size: int,
    pass_number: int,
    seed: int,
    lengths: tuple[int, ...],
    tokens_per_batch: int,
) -> Iterator[SentenceBatch]:
    """One pass over the corpus in batches of sentences of similar length.

    Args:
        corpus: ids of whole words.
        characters: of each id, uint16 [id, character]: a row for each mark and each word of the text.
        vocab_size: number of words the softmax knows; as labels, later ones are the unknown word.
        pass_number: changes the order from pass to pass.
        seed: the run's seed.
        lengths: maximum words per sentence, one drawn per group of documents; longer sentences are split.
        tokens_per_batch: sentences times padded length, including marks.
    """
    rng = np.random.default_rng([seed, pass_number])
    order = rng.permutation(corpus.documents)
    for at in range(0, len(order), GROUP):
        longest, sentences = int(rng.choice(lengths)), []
        for document in order[at : at + GROUP]:
            for number in range(*corpus.document_starts[document : document + 2]):
                sentence = corpus.sentence(number)
                sentences += [sentence[start : start + longest] for start in range(0, len(sentence), longest)]
        sentences.sort(key=len)
        batches = list(_batches(sentences, tokens_per_batch))
        for index in rng.permutation(len(batches)):
            yield _collate(batches[index], characters, vocab_size)


def _batches(sentences: list[np.ndarray], tokens_per_batch: int) -> Iterator[list[np.ndarray]]:
    batch: list[np.ndarray] = []
    for sentence in sentences:  # sorted, so the newest is the longest
        if batch and (len(batch) + 1) * (len(sentence) + 2) > tokens_per_batch:
            yield batch
            batch = []
        batch.append(sentence)
    if batch:
        yield batch


def _collate(batch: list[np.ndarray], characters: np.ndarray, vocab_size: int) -> SentenceBatch:
    width = 2 + max(map(len, batch))
    input_ids = np.zeros((len(batch), width, characters.shape[1]), dtype=np.int64)
    labels = np.full((len(batch), width), IGNORED_LABEL, dtype=np.int64)
    for row, sentence in enumerate(batch):
        marked = np.concatenate([[BEGIN_ID], sentence, [END_ID]]).astype(np.int64)
        input_ids[row, : len(marked)] = characters[marked]
        labels[row, : len(marked)] = in_vocabulary(marked, vocab_size)
    return SentenceBatch(input_ids, labels)
