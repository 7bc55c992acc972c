"""Modified Kneser-Ney n-grams: the best of the counting models, as a baseline for next-piece prediction.

Chen and Goodman 1998 (TR-10-98, Harvard), section 3, interpolated, with three discounts estimated from the counts.
N-grams are identified by 64-bit hashes: among 100 million of them the risk of a collision is below one in a thousand.
Knows ids, no network.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MULTIPLIERS = np.random.default_rng(1998).integers(0, 2**64, 32, dtype=np.uint64) | np.uint64(1)


@dataclass(frozen=True)
class Order:
    """All n-grams of one length."""

    grams: np.ndarray  # uint64 [types], sorted hashes
    numerators: np.ndarray  # float64 [types]: count minus discount, divided by the context's total
    contexts: np.ndarray  # uint64 [contexts], sorted hashes of the n - 1 ids before
    leftovers: np.ndarray  # float64 [contexts]: mass that the discounts leave to the shorter context


@dataclass(frozen=True)
class KneserNey:
    """P(id | the ids before it)."""

    orders: list[Order]  # n-grams of 1, 2, ... ids
    vocab_size: int
    table: np.ndarray  # uint64 [vocab + 1]: a random number for each id, and one for "nothing before"

    def of_rows(self, rows: list[np.ndarray]) -> list[np.ndarray]:
        """For each row, the natural log of P(id | ids before it in its row) for every id but the first."""
        gap = np.full(len(self.orders), self.vocab_size)
        stream = np.concatenate([part for row in rows for part in (gap, row)])
        scores = np.split(self.log_probabilities(stream), np.cumsum([len(gap) + len(row) for row in rows])[:-1])
        return [row[len(gap) + 1 :] for row in scores]

    def log_probabilities(self, ids: np.ndarray) -> np.ndarray:
        """Natural log of P(id | up to n - 1 ids before it) at every place of a stream: [id] -> float64 [id]."""
        ids = np.asarray(ids, dtype=np.int64)
        probability = np.full(len(ids), 1.0 / self.vocab_size)
        for n, order in enumerate(self.orders, start=1):
            places = np.arange(n - 1, len(ids))
            grams = hashes(self.table, ids, n)
            contexts = hashes(self.table, ids, n - 1)[: len(places)]
            known, at = find(order.contexts, contexts)
            places, grams, at = places[known], grams[known], at[known]
            met, row = find(order.grams, grams)
            share = np.where(met, order.numerators[row], 0.0)
            probability[places] = share + order.leftovers[at] * probability[places]
        return np.log(probability)


def fit_kneser_ney(ids: np.ndarray, vocab_size: int, longest: int = 5, seed: int = 2018) -> KneserNey:
    """Count a stream of ids.

    Args:
        ids: the training text: documents end to end, with their separators.
        vocab_size: ids are below it.
        longest: n of the longest n-grams.
        seed: of the hashes.
    """
    ids = np.asarray(ids, dtype=np.int64)
    table = np.random.default_rng(seed).integers(0, 2**64, vocab_size + 1, dtype=np.uint64)
    orders: list[Order] = []
    longer: np.ndarray | None = None  # hashes of the last n ids of each longer n-gram type
    for n in range(longest, 0, -1):
        all_grams = hashes(table, ids, n)
        grams, first, counts = types_of(all_grams)
        if longer is not None:
            # A shorter n-gram's count is the number of different ids it followed; the stream's first one followed none.
            seen, _, times = types_of(longer)
            counts = np.ones(len(grams), dtype=np.int64)
            counts[find(grams, seen)[1]] = times
        orders.append(_order(grams, counts, hashes(table, ids, n - 1)[first]))
        longer = hashes(table, ids, n - 1)[1:][first] if n > 1 else None
    return KneserNey(orders[::-1], vocab_size, table)


def _order(grams: np.ndarray, counts: np.ndarray, contexts_of: np.ndarray) -> Order:
    contexts, owner = grouped(contexts_of)
    discount = np.concatenate([[0.0], discounts(counts)])[counts.clip(max=3)]
    total = np.bincount(owner, weights=counts)
    leftover = np.bincount(owner, weights=discount) / total
    return Order(grams, (counts - discount) / total[owner], contexts, leftover)


def discounts(counts: np.ndarray) -> np.ndarray:
    """The amounts subtracted from counts of 1, 2, and 3 or more, float64 [3]; usual values if counts are too few."""
    of = np.bincount(counts.clip(max=5), minlength=6).astype(np.float64)
    if (of[1:5] == 0).any():
        return np.array([0.5, 1.0, 1.5])
    share = of[1] / (of[1] + 2 * of[2])
    return np.array([k - (k + 1) * share * of[k + 1] / of[k] for k in (1, 2, 3)]).clip(0.05, [1.0, 2.0, 3.0])


def hashes(table: np.ndarray, ids: np.ndarray, n: int) -> np.ndarray:
    """Hashes of all n-grams of a stream, in order: uint64 [ids - n + 1]; for n = 0 all are equal."""
    made = np.zeros(max(0, len(ids) - n + 1), dtype=np.uint64)
    for offset in range(n):
        # A random odd multiplier per distance makes the same ids in another order a different n-gram.
        made += table[ids[offset : offset + len(made)]] * MULTIPLIERS[n - offset]
    return made


def types_of(grams: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(sorted distinct hashes, a place of each, count of each). Several times as fast as np.unique with indices."""
    order = np.argsort(grams)
    ordered = grams[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    return ordered[starts], order[starts], np.diff(np.append(starts, len(ordered)))


def grouped(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(sorted distinct values, each value's row among them): a faster np.unique with inverse."""
    order = np.argsort(values)
    ordered = values[order]
    new = np.concatenate([[True], ordered[1:] != ordered[:-1]])
    owner = np.empty(len(values), dtype=np.int64)
    owner[order] = np.cumsum(new) - 1
    return ordered[new], owner


def find(known: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(whether it is there, its row) for each wanted hash in a sorted array."""
    at = np.searchsorted(known, wanted).clip(max=max(0, len(known) - 1))
    return known[at] == wanted, at
