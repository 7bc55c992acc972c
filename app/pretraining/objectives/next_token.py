"""Running text in packed rows, for a model that predicts the next piece. Knows token ids, no model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from app.pretraining.data.corpus import Corpus, read_paragraphs

# Documents are laid end to end in groups of this many, and each group's rows are shuffled.
GROUP = 256


@dataclass(frozen=True)
class TextBatch:
    """One batch of rows without padding."""

    input_ids: np.ndarray  # int64 [batch, token]

    @property
    def tokens(self) -> int:
        """Number of tokens; there is no padding."""
        return self.input_ids.size


def tokenise_documents(files: list[Path], tokenizer: Tokenizer) -> Corpus:
    """Each document whole, one paragraph per line: each document is one "sentence"."""
    pieces, lengths = [], []
    dtype = np.uint16 if tokenizer.get_vocab_size() <= 2**16 else np.uint32
    for path in files:
        texts = ["\n".join(document) for document in read_paragraphs(path)]
        for encoding in tokenizer.encode_batch_fast(texts, add_special_tokens=False):
            pieces.append(np.array(encoding.ids, dtype=dtype))
            lengths.append(len(encoding.ids))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return Corpus(np.concatenate(pieces), starts, np.arange(len(starts)), np.ones(len(lengths), dtype=bool))


def packed_rows(
    corpus: Corpus, end: int, *, pass_number: int, seed: int, lengths: tuple[int, ...], tokens_per_batch: int
) -> Iterator[TextBatch]:
    """One pass over the corpus; a piece that means "a text begins" precedes every document.

    Args:
        corpus: tokenised text.
        end: id of the piece between documents.
        pass_number: changes the order of documents and the places where rows are cut.
        seed: the run's seed.
        lengths: row lengths, one drawn per group of documents.
        tokens_per_batch: batch size times length.
    """
    rng = np.random.default_rng([seed, pass_number])
    order = rng.permutation(corpus.documents)
    for at in range(0, len(order), GROUP):
        stream = joined([document_ids(corpus, document) for document in order[at : at + GROUP]], end)
        length = int(rng.choice(lengths))
        stream = stream[int(rng.integers(length)) :] if len(stream) > 2 * length else stream
        length = min(length, len(stream))
        rows = stream[: len(stream) // length * length].reshape(-1, length)
        rows = rows[rng.permutation(len(rows))]
        size = max(1, tokens_per_batch // length)
        for first in range(0, len(rows), size):
            yield TextBatch(rows[first : first + size])


def document_ids(corpus: Corpus, document: int) -> np.ndarray:
    """All pieces of one document."""
    first, last = corpus.document_starts[document], corpus.document_starts[document + 1]
    return corpus.ids[corpus.sentence_starts[first] : corpus.sentence_starts[last]]


def joined(documents: list[np.ndarray], end: int) -> np.ndarray:
    """Documents end to end, int64, each preceded by the piece `end`."""
    return np.concatenate([part for document in documents for part in ([end], document)]).astype(np.int64)
