"""Baselines that count instead of learning vectors: most frequent piece, trigrams, neighbours, and topic overlap.

Each is fitted on the training text in the checkpoint's own pieces and sees the same input with the same holes.
Smoothing: Witten and Bell 1991, the better of the simple methods. Knows token ids, no network.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from app.pretraining.data.corpus import Corpus
from app.pretraining.evaluation.masked_scores import Segment


@dataclass(frozen=True)
class Followers:
    """Counts of the pieces seen in some contexts: one slice per context of two flat arrays."""

    contexts: np.ndarray  # int64 [contexts], sorted
    starts: np.ndarray  # int64 [contexts + 1]
    pieces: np.ndarray  # int64
    counts: np.ndarray  # int64

    def of(self, context: int) -> tuple[np.ndarray, np.ndarray]:
        """(pieces, counts) of one context; empty when it was never seen."""
        at = int(np.searchsorted(self.contexts, context))
        if at == len(self.contexts) or self.contexts[at] != context:
            return self.pieces[:0], self.counts[:0]
        part = slice(self.starts[at], self.starts[at + 1])
        return self.pieces[part], self.counts[part]


def count_followers(contexts: np.ndarray, pieces: np.ndarray, wanted: np.ndarray, vocab_size: int) -> Followers:
    """Count the pieces seen in the wanted contexts; the others, millions in a text, are dropped."""
    wanted = np.unique(wanted)
    # About ten thousand of tens of millions of contexts are wanted: looking each one up beats sorting them all.
    keep = wanted[np.searchsorted(wanted, contexts).clip(max=len(wanted) - 1)] == contexts
    pairs, counts = np.unique(contexts[keep] * vocab_size + pieces[keep], return_counts=True)
    met, starts = np.unique(pairs // vocab_size, return_index=True)
    return Followers(met, np.append(starts, len(pairs)), pairs % vocab_size, counts)


def smoothed(followers: tuple[np.ndarray, np.ndarray], lower: np.ndarray) -> np.ndarray:
    """Witten-Bell: (count + types * lower) / (total + types), over the whole vocabulary."""
    pieces, counts = followers
    if not len(pieces):
        return lower
    total = counts.sum() + len(pieces)
    probability = lower * np.float32(len(pieces) / total)
    probability[pieces] += (counts / total).astype(lower.dtype)
    return probability


def hidden_contexts(segments: list[Segment]) -> np.ndarray:
    """The visible pieces around each hole, int64 [masked, 3]: second before, first before, first after."""
    rows = [
        np.stack([segment.input_ids[np.maximum(segment.chosen + offset, 0)] for offset in (-2, -1, 1)], axis=1)
        for segment in segments
    ]
    return np.concatenate(rows)


@dataclass
class CountingRivals:
    """Three rankers based on the counts of one training text; each maps segments to the five likeliest pieces."""

    corpus: Corpus
    vocab_size: int
    unigram: np.ndarray = field(init=False)  # probability [vocab]

    def __post_init__(self) -> None:
        counts = np.bincount(self.corpus.ids, minlength=self.vocab_size) + 1e-3
        self.unigram = (counts / counts.sum()).astype(np.float32)

    def most_frequent(self, segments: list[Segment]) -> np.ndarray:
        """The five most frequent pieces at every hole."""
        holes = sum(len(segment.chosen) for segment in segments)
        return np.tile(_best_five(self.unigram), (holes, 1))

    def trigram(self, segments: list[Segment]) -> np.ndarray:
        """P(piece | the two before), interpolated with bigram and unigram."""
        around = hidden_contexts(segments)
        two_before = around[:, 0] * self.vocab_size + around[:, 1]
        ids = self.corpus.ids.astype(np.int64)
        by_two = self._counts(ids[:-2] * self.vocab_size + ids[1:-1], ids[2:], two_before)
        by_one = self._counts(ids[:-1], ids[1:], around[:, 1])
        return np.stack(
            [
                _best_five(smoothed(by_two.of(pair), smoothed(by_one.of(one), self.unigram)))
                for pair, one in zip(two_before, around[:, 1], strict=True)
            ]
        )

    def neighbours(self, segments: list[Segment]) -> np.ndarray:
        """P(piece | the one before, the one after), backing off to the product of both sides."""
        around = hidden_contexts(segments)
        both = around[:, 1] * self.vocab_size + around[:, 2]
        ids = self.corpus.ids.astype(np.int64)
        by_both = self._counts(ids[:-2] * self.vocab_size + ids[2:], ids[1:-1], both)
        by_left, by_right = (
            self._counts(ids[:-1], ids[1:], around[:, 1]),
            self._counts(ids[1:], ids[:-1], around[:, 2]),
        )
        ranked = []
        for pair, (_, left, right) in zip(both, around, strict=True):
            product = smoothed(by_left.of(left), self.unigram) * smoothed(by_right.of(right), self.unigram)
            product /= self.unigram
            ranked.append(_best_five(smoothed(by_both.of(pair), product / product.sum())))
        return np.stack(ranked)

    def _counts(self, contexts: np.ndarray, pieces: np.ndarray, wanted: np.ndarray) -> Followers:
        return count_followers(contexts, pieces, wanted, self.vocab_size)


def _best_five(probability: np.ndarray) -> np.ndarray:
    five = np.argpartition(probability, -5)[-5:]
    return five[np.argsort(-probability[five], kind="stable")]


@dataclass(frozen=True)
class TopicOverlap:
    """Says "the next sentence" when two sentences share enough rare pieces."""

    rarity: np.ndarray  # inverse document frequency [vocab]
    threshold: float

    def overlap(self, first: np.ndarray, second: np.ndarray) -> float:
        """Cosine of the two sets of pieces, weighted by rarity, 0..1."""
        sides = [self.rarity[np.unique(side)] for side in (first, second)]
        shared = self.rarity[np.intersect1d(first, second)]
        norm = np.sqrt((sides[0] ** 2).sum() * (sides[1] ** 2).sum())
        return float((shared**2).sum() / max(norm, 1e-9))

    def is_next(self, first: np.ndarray, second: np.ndarray) -> bool:
        """Whether the overlap reaches the threshold."""
        return self.overlap(first, second) >= self.threshold


def document_rarity(corpus: Corpus, vocab_size: int) -> np.ndarray:
    """log(documents / documents with the piece) [vocab]."""
    met = np.zeros(vocab_size)
    bounds = corpus.sentence_starts[corpus.document_starts]
    for start, end in itertools.pairwise(bounds):
        met[np.unique(corpus.ids[start:end])] += 1
    return np.log((corpus.documents + 1) / (met + 1))


def training_pairs(corpus: Corpus, count: int, seed: int) -> list[tuple[np.ndarray, np.ndarray, bool]]:
    """Single sentences of the training text, half with their true next sentence and half with a wrong one."""
    rng, pairs = np.random.default_rng(seed), []
    documents = np.flatnonzero(corpus.running_text & (np.diff(corpus.document_starts) >= 2))
    while len(pairs) < count:
        document, other = rng.choice(documents, 2, replace=False)
        at = int(rng.integers(corpus.document_starts[document], corpus.document_starts[document + 1] - 1))
        wrong = int(rng.integers(corpus.document_starts[other], corpus.document_starts[other + 1]))
        follows = len(pairs) % 2 == 0
        pairs.append((corpus.sentence(at), corpus.sentence(at + 1 if follows else wrong), follows))
    return pairs


def fit_topic_overlap(corpus: Corpus, vocab_size: int, *, count: int = 4000, seed: int = 2018) -> TopicOverlap:
    """Rarity and the best threshold, both fitted on the training text."""
    unfitted = TopicOverlap(document_rarity(corpus, vocab_size), 0.0)
    pairs = training_pairs(corpus, count, seed)
    scores = np.array([unfitted.overlap(first, second) for first, second, _ in pairs])
    truth = np.array([follows for *_, follows in pairs])
    candidates = np.unique(scores)
    right = [((scores >= candidate) == truth).mean() for candidate in candidates]
    return TopicOverlap(unfitted.rarity, float(candidates[int(np.argmax(right))]))
