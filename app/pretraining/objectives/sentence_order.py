"""Sentence-order pairs: two neighbouring stretches of one document, in order and swapped.

Lan et al. 2019 (arXiv 1909.11942), section 3.1: the answer needs coherence, not topic. Knows token ids, no model.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.pretraining.data.corpus import Corpus
from app.pretraining.objectives.masking import NO_PAIR

Pair = tuple[np.ndarray, np.ndarray, int]  # first, second, label

IN_ORDER, SWAPPED = 0, 1
TWO_SENTENCES = 0.5  # share of the pairs that are two single sentences
# This many extra pairs begin where a document begins. How texts open is the first clue a model learns (from 3,000
# pairs); a small model finds none in 50,000 pairs from the middle of texts.
OPENINGS = 4


def order_pairs(corpus: Corpus, documents: np.ndarray, max_tokens: int, rng: np.random.Generator) -> Iterator[Pair]:
    """(first, second, label) through the documents; each pair comes in order and then, right after it, swapped.

    Side by side in a batch, what both have in common (topic, length, style) cancels out in the gradient and only the
    order is left. Some pairs are two single sentences, as visitors type; the others fill up to `max_tokens`. Only whole
    sentences are used and the cut between the two may fall anywhere, so neither lengths nor broken ends reveal the
    answer. A sentence that was too long to fit stands alone, because starting the next pair with it would make first
    parts longer.
    """
    for document in documents:
        start, end = corpus.document_starts[document], corpus.document_starts[document + 1]
        if corpus.running_text[document]:
            yield from opening_pairs(corpus, document, max_tokens, rng, OPENINGS)
        while start < end:
            stop, next_fits = _span(corpus, start, end, max_tokens, rng)
            if stop - start < 2 or not corpus.running_text[document]:
                yield _whole(corpus, start, stop)[:max_tokens], corpus.ids[:0].astype(np.int64), NO_PAIR
            else:
                yield from _both_orders(corpus, start, stop, rng)
            start = stop
            if not next_fits and start < end:
                yield _whole(corpus, start, start + 1)[:max_tokens], corpus.ids[:0].astype(np.int64), NO_PAIR
                start += 1


def opening_pairs(
    corpus: Corpus, document: int, max_tokens: int, rng: np.random.Generator, count: int
) -> Iterator[Pair]:
    """`count` pairs, each in both orders, that begin with the document's first sentence."""
    start, end = corpus.document_starts[document], corpus.document_starts[document + 1]
    for _ in range(count):
        stop, _ = _span(corpus, start, end, max_tokens, rng)
        if stop - start >= 2:
            yield from _both_orders(corpus, start, stop, rng)


def _both_orders(corpus: Corpus, start: int, stop: int, rng: np.random.Generator) -> Iterator[Pair]:
    cut = int(rng.integers(start + 1, stop))
    first, second = _whole(corpus, start, cut), _whole(corpus, cut, stop)
    yield first, second, IN_ORDER
    yield second, first, SWAPPED


def _span(corpus: Corpus, start: int, end: int, max_tokens: int, rng: np.random.Generator) -> tuple[int, bool]:
    limit = corpus.sentence_starts[start] + max_tokens
    fitting = int(np.searchsorted(corpus.sentence_starts[start : end + 1], limit, side="right")) - 1
    wanted = 2 if rng.random() < TWO_SENTENCES else fitting
    return start + max(1, min(wanted, fitting)), wanted < fitting


def _whole(corpus: Corpus, start: int, end: int) -> np.ndarray:
    return corpus.ids[corpus.sentence_starts[start] : corpus.sentence_starts[end]].astype(np.int64)
