"""As many whole sentences of one document as fit, without pairs: RoBERTa's DOC-SENTENCES (arXiv 1907.11692).

Knows token ids, no model.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.pretraining.data.corpus import Corpus
from app.pretraining.objectives.masking import NO_PAIR

# Share of sequences that are a single sentence, as visitors type.
SINGLES = 0.45


def full_sentences(
    corpus: Corpus, documents: np.ndarray, max_tokens: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """(sentences, nothing, no pair) in document order: as many sentences as fit, at least one; a longer one is cut."""
    starts = corpus.sentence_starts
    for document in documents:
        at, end = corpus.document_starts[document], corpus.document_starts[document + 1]
        while at < end:
            fitting = int(np.searchsorted(starts[at : end + 1], starts[at] + max_tokens, side="right")) - 1
            stop = at + max(1, 1 if rng.random() < SINGLES else fitting)
            ids = corpus.ids[starts[at] : starts[stop]][:max_tokens].astype(np.int64)
            yield ids, ids[:0], NO_PAIR
            at = stop
