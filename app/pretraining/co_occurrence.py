"""Word vectors by counting: which words stand near which, how much more often than by chance, and what matters most.

Smoothed positive pointwise mutual information and its truncated singular value decomposition. Levy, Goldberg and Dagan
(2015, TACL 3) found this equal to skip-gram; on little text it does better. Arrays and sparse matrices, no words.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from sklearn.utils.extmath import randomized_svd

# Pairs counted at a time: 6 million take 100 MB.
CHUNK = 6_000_000
OVERSAMPLES, ITERATIONS = 20, 3  # for the randomised decomposition (Halko et al. 2011)


def co_occurrences(rows: np.ndarray, lengths: np.ndarray, size: int, window: int) -> csr_matrix:
    """How often two words stand within a window of each other in a sentence; nearer neighbours count more.

    A direct neighbour counts 1, a word `window` places away 1 / window: word2vec has the same weights on average.

    Args:
        rows: each word of the text as its row; -1 for a word outside the vocabulary, which keeps its place uncounted.
        lengths: words per sentence.
        size: of the vocabulary.
        window: places on each side.

    Returns:
        Symmetric counts [size, size].
    """
    sentence = np.repeat(np.arange(len(lengths)), lengths)
    counted = csr_matrix((size, size), dtype=np.float32)
    for apart in range(1, window + 1):
        for start in range(0, len(rows) - apart, CHUNK):
            left = slice(start, min(len(rows) - apart, start + CHUNK))
            right = slice(left.start + apart, left.stop + apart)
            both = (rows[left] >= 0) & (rows[right] >= 0) & (sentence[left] == sentence[right])
            pairs = rows[left][both], rows[right][both]
            weights = np.full(len(pairs[0]), (window - apart + 1) / window, dtype=np.float32)
            counted = counted + coo_matrix((weights, pairs), shape=(size, size)).tocsr()
    return (counted + counted.T).tocsr()


def positive_pmi(counts: csr_matrix, smoothing: float) -> csr_matrix:
    """The logarithm of how much more often two words meet than by chance, where it is above 0.

    Args:
        counts: [word, context].
        smoothing: power applied to the contexts' counts; below 1, rare contexts weigh less.
    """
    pairs = counts.tocoo()
    of_words = np.asarray(counts.sum(axis=1)).ravel()
    of_contexts = np.asarray(counts.sum(axis=0)).ravel() ** smoothing
    expected = of_words[pairs.row] * (of_contexts / of_contexts.sum())[pairs.col]
    mutual = np.log(pairs.data / expected)
    kept = mutual > 0
    return csr_matrix((mutual[kept].astype(np.float32), (pairs.row[kept], pairs.col[kept])), shape=counts.shape)


def leading_directions(matrix: csr_matrix, dimensions: int, power: float, seed: int) -> np.ndarray:
    """Vectors [word, dimension]: left singular vectors, each times a power of its singular value.

    Args:
        matrix: [word, context].
        dimensions: how many.
        power: 1 keeps the matrix's own weights, 0 weighs all directions alike; 0.5 or less is better.
        seed: for the randomised method.
    """
    directions, values, _ = randomized_svd(
        matrix, dimensions, n_oversamples=OVERSAMPLES, n_iter=ITERATIONS, random_state=seed
    )
    return (directions * values**power).astype(np.float32)
