"""Sentence-order pairs: two neighbouring stretches of one document, swapped or not.

Lan et al. 2019 (arXiv 1909.11942), section 3.1: topic cannot answer this, coherence must. Knows token ids, no model.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.pretraining.corpus import Corpus
from app.pretraining.objectives import NO_PAIR

IN_ORDER, SWAPPED = 0, 1
TWO_SENTENCES = 0.8  # share of the pairs that are two single sentences


def order_pairs(
    corpus: Corpus, documents: np.ndarray, max_tokens: int, rng: np.random.Generator
) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """(first, second, label) through the documents; half of the pairs are swapped.

    Most pairs are two single sentences, which is what a visitor types; the others fill up to `max_tokens`. Only whole
    sentences are used and the cut between the two falls anywhere, so that neither lengths nor a broken end give the
    answer away. A sentence that was too long to fit stands alone: beginning the next pair with it would make first
    parts longer.
    """
    for document in documents:
        start, end = corpus.document_starts[document], corpus.document_starts[document + 1]
        while start < end:
            stop, next_fits = _span(corpus, start, end, max_tokens, rng)
            if stop - start < 2 or not corpus.running_text[document]:
                yield _whole(corpus, start, stop)[:max_tokens], corpus.ids[:0].astype(np.int64), NO_PAIR
            else:
                cut = int(rng.integers(start + 1, stop))
                parts = _whole(corpus, start, cut), _whole(corpus, cut, stop)
                yield (*parts, IN_ORDER) if rng.random() < 0.5 else (*parts[::-1], SWAPPED)
            start = stop
            if not next_fits and start < end:
                yield _whole(corpus, start, start + 1)[:max_tokens], corpus.ids[:0].astype(np.int64), NO_PAIR
                start += 1


def _span(corpus: Corpus, start: int, end: int, max_tokens: int, rng: np.random.Generator) -> tuple[int, bool]:
    limit = corpus.sentence_starts[start] + max_tokens
    fitting = int(np.searchsorted(corpus.sentence_starts[start : end + 1], limit, side="right")) - 1
    wanted = 2 if rng.random() < TWO_SENTENCES else fitting
    return start + max(1, min(wanted, fitting)), wanted < fitting


def _whole(corpus: Corpus, start: int, end: int) -> np.ndarray:
    return corpus.ids[corpus.sentence_starts[start] : corpus.sentence_starts[end]].astype(np.int64)
