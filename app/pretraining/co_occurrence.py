"""Word vectors by counting: which words stand near which, how much oftener than by chance, and what of it matters most.

Positive pointwise mutual information, smoothed, and its truncated singular value decomposition, as Levy, Goldberg and
Dagan (2015, TACL 3) found it to equal skip-gram; on little text it does better. Arrays and sparse matrices, no words.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_matrix, csr_matrix
from sklearn.utils.extmath import randomized_svd

# Pairs that are counted at a time: 6 million take 100 MB.
CHUNK = 6_000_000
OVERSAMPLES, ITERATIONS = 20, 3  # of the randomised decomposition (Halko et al. 2011)


def co_occurrences(rows: np.ndarray, lengths: np.ndarray, size: int, window: int) -> csr_matrix:
    """How often two words stand within a window of each other in a sentence; the nearer, the more it counts.

    A neighbour counts 1, the word `window` places away 1 / window: what word2vec does by drawing window sizes.

    Args:
        rows: each word of the text as its row, -1 for one outside the vocabulary: its place stays, uncounted.
        lengths: words of each sentence.
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
    """The logarithm of how much oftener two words meet than chance would have it, where that is above 0.

    Args:
        counts: [word, context].
        smoothing: the contexts' counts are raised to it: below 1, rare contexts weigh less.
    """
    pairs = counts.tocoo()
    of_words = np.asarray(counts.sum(axis=1)).ravel()
    of_contexts = np.asarray(counts.sum(axis=0)).ravel() ** smoothing
    expected = of_words[pairs.row] * (of_contexts / of_contexts.sum())[pairs.col]
    mutual = np.log(pairs.data / expected)
    kept = mutual > 0
    return csr_matrix((mutual[kept].astype(np.float32), (pairs.row[kept], pairs.col[kept])), shape=counts.shape)


def leading_directions(matrix: csr_matrix, dimensions: int, power: float, seed: int) -> np.ndarray:
    """Vectors [word, dimension]: left singular vectors, each times its singular value to a power.

    Args:
        matrix: [word, context].
        dimensions: how many.
        power: 1 keeps the matrix's own weights, 0 weighs all directions alike; a half or less is better.
        seed: of the randomised method.
    """
    directions, values, _ = randomized_svd(
        matrix, dimensions, n_oversamples=OVERSAMPLES, n_iter=ITERATIONS, random_state=seed
    )
    return (directions * values**power).astype(np.float32)
