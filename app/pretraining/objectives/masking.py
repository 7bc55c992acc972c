"""What a checkpoint is trained to predict: masked pieces and the next sentence, as batches of arrays.

Knows token ids, no model. Sources: Devlin et al. 2018 (arXiv 1810.04805), section 3.1 and appendix A.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from app.pretraining.data.corpus import Corpus
from app.pretraining.data.special_ids import SpecialIds

# Instances are generated and sorted by length in groups of this many documents.
GROUP = 256
# A "nearby" second sentence comes from this many documents on either side, mostly the same source.
NEARBY = 200
IS_NEXT, NOT_NEXT, NO_PAIR = 0, 1, -100


@dataclass(frozen=True)
class PairMix:
    """Which kinds of instances are made besides BERT's own."""

    singles: float = 0.0  # share of single sentences, as visitors type
    two_sentences: float = 1 / 3  # share of pairs of two single sentences; the others fill the sequence
    nearby: float = 0.0  # share of wrong second sentences from the same source, whose style gives nothing away


BERT_MIX = PairMix()

# (corpus, documents, most tokens of a pair, generator) -> an iterator of (first, second, label).
PairSource = Callable[[Corpus, np.ndarray, int, np.random.Generator], Iterator[tuple[np.ndarray, np.ndarray, int]]]


@dataclass(frozen=True)
class PairBatch:
    """One batch of masked sentence pairs."""

    input_ids: np.ndarray  # int64 [batch, token]
    attention_mask: np.ndarray  # int64 [batch, token]
    token_type_ids: np.ndarray  # int64 [batch, token]
    masked_positions: np.ndarray  # int64 [masked], indices into the flattened [batch * token]
    masked_labels: np.ndarray  # int64 [masked]
    next_sentence_label: np.ndarray  # int64 [batch], 0 follows, 1 does not, -100 no pair

    @property
    def tokens(self) -> int:
        """Number of tokens without padding."""
        return int(self.attention_mask.sum())


def mask_tokens(
    ids: np.ndarray, special: SpecialIds, rng: np.random.Generator, share: float = 0.15
) -> tuple[np.ndarray, np.ndarray]:
    """Hide 15 % of the pieces: 80 % become [MASK], 10 % a random piece, 10 % stay.

    Args:
        ids: token ids of one sequence with its special tokens.
        special: the special ids; [CLS] and [SEP] are never chosen.
        rng: generator for the choice.
        share: how many of the ordinary pieces are chosen.

    Returns:
        The changed ids and the chosen positions.
    """
    candidates = np.flatnonzero((ids != special.cls) & (ids != special.sep))
    chosen = rng.permutation(candidates)[: max(1, round(share * len(candidates)))]
    masked, draw = ids.copy(), rng.random(len(chosen))
    masked[chosen[draw < 0.8]] = special.mask
    replaced = chosen[draw >= 0.9]
    # The special tokens have the lowest ids in every vocabulary made here; a random piece must be an ordinary one.
    first_piece = max(special.cls, special.sep, special.mask, special.pad) + 1
    masked[replaced] = rng.integers(first_piece, special.vocab_size, len(replaced))
    return masked, chosen


def sentence_pairs(
    corpus: Corpus, documents: np.ndarray, max_tokens: int, rng: np.random.Generator, mix: PairMix = BERT_MIX
) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """(first, second, label) in document order; in half of the cases `second` comes from another document.

    By default a third of the pairs are two single sentences (as visitors type), the others fill up to `max_tokens`.
    Documents that are not running text give single segments and no pair (label -100).
    """
    for document in documents:
        start, end = corpus.document_starts[document], corpus.document_starts[document + 1]
        while start < end:
            if mix.singles and rng.random() < mix.singles:
                yield _tokens(corpus, start, start + 1, max_tokens), corpus.ids[:0].astype(np.int64), NO_PAIR
                start += 1
                continue
            room = max_tokens if rng.random() > mix.two_sentences else 2
            first_end = _take(corpus, start, end, room // 2)
            first = _tokens(corpus, start, first_end, max_tokens // 2)
            if not corpus.running_text[document] or end - start < 2 or first_end == end:
                yield first, first[:0], NO_PAIR
                start = first_end
                continue
            # Both kinds of second segment are filled the same way, so that their lengths do not reveal the answer.
            room, limit = room - min(len(first), room), max_tokens - len(first)
            if rng.random() < 0.5:
                start = _take(corpus, first_end, end, room)
                yield first, _tokens(corpus, first_end, start, limit), IS_NEXT
            else:
                start = first_end
                yield first, _from_elsewhere(corpus, document, room, limit, rng, mix.nearby), NOT_NEXT


def _take(corpus: Corpus, start: int, end: int, room: int) -> int:
    """The index after as many sentences as fit into `room` tokens, at least one."""
    limit = corpus.sentence_starts[start] + room
    fitting = int(np.searchsorted(corpus.sentence_starts[start : end + 1], limit, side="right")) - 1
    return start + max(1, min(fitting, end - start))


def _tokens(corpus: Corpus, start: int, end: int, limit: int) -> np.ndarray:
    return corpus.ids[corpus.sentence_starts[start] : corpus.sentence_starts[end]][:limit].astype(np.int64)


def _from_elsewhere(
    corpus: Corpus, document: int, room: int, limit: int, rng: np.random.Generator, nearby: float
) -> np.ndarray:
    low, high = 0, corpus.documents
    if nearby and rng.random() < nearby:
        low, high = max(0, document - NEARBY), min(corpus.documents, document + NEARBY)
    while True:
        other = int(rng.integers(low, high))
        if other != document and corpus.running_text[other]:
            break
    start, end = corpus.document_starts[other], corpus.document_starts[other + 1]
    start = int(rng.integers(start, end))
    return _tokens(corpus, start, _take(corpus, start, end, room), limit)


def masked_pairs(
    corpus: Corpus,
    special: SpecialIds,
    *,
    masking: int,
    seed: int,
    lengths: tuple[int, ...],
    tokens_per_batch: int,
    pairs: PairSource | None = None,
) -> Iterator[PairBatch]:
    """One pass over the corpus with the fixed masking of this number.

    BERT fixed ten maskings when preparing the data ("static"). Here a generator seeded with (seed, masking) draws each
    masking, so the same number always gives the same data and nothing has to be stored.

    Args:
        corpus: tokenised text.
        special: ids of the special tokens.
        masking: its number, 0..9 in BERT.
        seed: the run's seed.
        lengths: maximum sequence lengths, one drawn per group of documents.
        tokens_per_batch: batch size times padded length.
        pairs: makes the pairs of some documents; next-sentence pairs by default.
    """
    rng = np.random.default_rng([seed, masking])
    order = rng.permutation(corpus.documents)
    for at in range(0, len(order), GROUP):
        longest = int(rng.choice(lengths))
        made = (pairs or sentence_pairs)(corpus, order[at : at + GROUP], longest - 3, rng)
        instances = sorted((_instance(pair, special, rng) for pair in made), key=lambda instance: len(instance[0]))
        batches = list(_batches(instances, tokens_per_batch))
        for index in rng.permutation(len(batches)):
            yield _collate(batches[index], special)


def _instance(pair: tuple[np.ndarray, np.ndarray, int], special: SpecialIds, rng: np.random.Generator) -> tuple:
    first, second, label = pair
    parts = [[special.cls], first, [special.sep]] + ([second, [special.sep]] if len(second) else [])
    ids = np.concatenate(parts).astype(np.int64)
    masked, chosen = mask_tokens(ids, special, rng)
    return masked, ids, chosen, len(first) + 2, label if len(second) else NO_PAIR


def _batches(instances: list[tuple], tokens_per_batch: int) -> Iterator[list[tuple]]:
    batch: list[tuple] = []
    for instance in instances:  # sorted, so the newest is the longest
        if batch and (len(batch) + 1) * len(instance[0]) > tokens_per_batch:
            yield batch
            batch = []
        batch.append(instance)
    if batch:
        yield batch


def _collate(batch: list[tuple], special: SpecialIds) -> PairBatch:
    width = max(len(masked) for masked, *_ in batch)
    input_ids = np.full((len(batch), width), special.pad, dtype=np.int64)
    attention_mask, token_type_ids = np.zeros_like(input_ids), np.zeros_like(input_ids)
    positions, labels = [], []
    for row, (masked, ids, chosen, second_start, _) in enumerate(batch):
        input_ids[row, : len(masked)] = masked
        attention_mask[row, : len(masked)] = 1
        token_type_ids[row, second_start : len(masked)] = 1
        positions.append(row * width + chosen)
        labels.append(ids[chosen])
    return PairBatch(
        input_ids,
        attention_mask,
        token_type_ids,
        np.concatenate(positions),
        np.concatenate(labels),
        np.array([label for *_, label in batch]),
    )
